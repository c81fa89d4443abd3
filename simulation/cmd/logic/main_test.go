package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/timerfacility/timer/simulation/internal/eventlists"
)

func TestReport(t *testing.T) {
	for args, want := range map[string]string{
		"-circuit mult16 -scheme hierarchical -vectors 20":    `(?m)^hierarchical +20/20 +\d+ +[\d.]+ % +\d+ +[\d.]+ M$`,
		"-circuit c17 -delay unit -vectors 50 -scheme tegas2": `(?m)^tegas2 +50/50 +\d+ +0 % +`,
		"-circuit mult4 -delay fanin -vectors 5 -flow step":   "^mult4: 8 inputs, 8 outputs, ",
		"-circuit ../../logic/circuits/c17.bench -vectors 5":  " 5 inputs, 2 outputs, 6 gates, 3 of them on the longest path",
		"-circuit c17 -write":                                 `^INPUT\(1\)\n(?s:.*)23 = NAND\(16, 19\)\n$`,
	} {
		var out bytes.Buffer
		if err := run(strings.Fields(args), &out, io.Discard); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		if !regexp.MustCompile(want).Match(out.Bytes()) {
			t.Errorf("%s: nothing like %s in\n%s", args, want, out.String())
		}
	}
}

// All event lists do the same, but for the time.
func TestAllSchemes(t *testing.T) {
	var out bytes.Buffer
	if err := run(strings.Fields("-circuit mult8 -scheme all -vectors 5"), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	same := map[string]bool{}
	lists := 0
	for _, line := range strings.Split(out.String(), "\n") {
		if fields := strings.Fields(line); len(fields) > 5 && fields[1] == "5/5" {
			lists++
			same[strings.Join(fields[1:6], " ")] = true
		}
	}
	if lists != len(eventlists.All()) || len(same) != 1 {
		t.Errorf("%d event lists, and %d different results: %v", lists, len(same), same)
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	loop := filepath.Join(t.TempDir(), "loop.bench")
	if err := os.WriteFile(loop, []byte("INPUT(a)\nOUTPUT(z)\nz = AND(a, z)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"-circuit c6288":        `-circuit: no circuit "c6288"; there are c17, mult2 to mult32, and files that end in .bench`,
		"-circuit mult":         `-circuit: "mult" is not mult and a number of bits, as in mult16`,
		"-circuit mult64":       "-circuit: logic: a multiplier of 64 bits is not from 2 to 32",
		"-circuit none.bench":   "-circuit: open none.bench: no such file or directory",
		"-circuit " + loop:      "-circuit: " + loop + ": logic: line 3: signal z depends on itself",
		"-scheme sorted":        `-scheme: no scheme "sorted"; there are unordered, `,
		"-delay none":           `-delay: no delay "none"; there are unit, fanin and random`,
		"-flow walk":            `-flow: no flow "walk"; there are jump and step`,
		"-vectors 0":            "-vectors: 0 is under 1",
		"-longest 0":            "-longest: 0 is under 1",
		"-vectors many":         `invalid value "many" for flag -vectors: parse error (-h lists the flags)`,
		"-circuit mult16 extra": `unexpected argument "extra": there are only flags (-h lists them)`,
	} {
		err := run(strings.Fields(args), io.Discard, io.Discard)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
