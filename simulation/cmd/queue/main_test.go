package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	for args, want := range map[string][]string{
		"-interarrival 25ms -service 20ms -overflow 1e-6": {
			"M/M/1: an arrival every 25ms (40/s), a service of 20ms, load 0.8",
			"number in system              4 ",
			"time in system            100ms ",
			"time in queue              80ms ",
			"P(at least 2)              0.64 ",
			"Little's law: ",
			"M/M/1 with room for 61 (60 to wait) overflows with probability 9.8e-07",
		},
		"-interarrival 30ms -service 3ms -capacity 6 -scheme tegas2": {"M/M/1/6: ", "share lost                9e-07 "},
		"-interarrival 2ms -service 50ms -unlimited -law constant":   {"M/G/∞: ", "number in system             25 ", "time in system             50ms "},
		"-batches 5 -seed 7 -flow step -scheme unordered":            {"5 batches of 600 arrivals, intervals of 95 %, seed 7, event list unordered, flow step"},
	} {
		var out bytes.Buffer
		if err := run(append(strings.Fields(args), "-arrivals", "3000"), &out, io.Discard); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		for _, line := range want {
			if !strings.Contains(out.String(), line) {
				t.Errorf("%s: no %q in\n%s", args, line, out.String())
			}
		}
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	for args, want := range map[string]string{
		"-service 25ms":             "queue: no steady state: with a service of 25ms every 25ms the utilisation is 1, and must be under 1",
		"-service fast":             `invalid value "fast" for flag -service: parse error (-h lists the flags)`,
		"-nonsense":                 "flag provided but not defined: -nonsense (-h lists the flags)",
		"nonsense":                  `unexpected argument "nonsense": there are only flags (-h lists them)`,
		"-interarrival 0s":          "queue: mean interarrival time 0s is not positive",
		"-capacity -1":              "queue: capacity -1 is under 1, the one in service",
		"-unlimited -capacity 3":    "-unlimited and -capacity: who is served at once needs no room to wait",
		"-law uniform":              "-law uniform: there is theory for it only with -unlimited",
		"-law zipf":                 `-law: no law "zipf"; there are exponential, uniform and constant`,
		"-batches 1":                "-batches: 1 is under 2",
		"-arrivals 3":               "-arrivals: 3 is under one for each of 30 batches",
		"-longest 0":                "-longest: 0 is under 1",
		"-overflow 1":               "-overflow: 1 is not between 0 and 1",
		"-overflow 0.1 -capacity 3": "-overflow sizes an M/M/1 queue: not with -unlimited or -capacity",
		"-confidence 95":            "-confidence: 95 is not between 0 and 1",
		"-flow walk":                `-flow: no flow "walk"; there are jump and step`,
		"-plot mean.gif":            "-plot: mean.gif does not end in .svg, .png or .pdf",
		"-scheme 8":                 `-scheme: no scheme "8"; there are unordered, `,
		"-plot /nowhere/to/be/seen.svg -arrivals 300": "open /nowhere/to/be/seen.svg: no such file or directory",
	} {
		err := run(strings.Fields(args), io.Discard, io.Discard)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

func TestPlot(t *testing.T) {
	for _, args := range []string{"", "-capacity 3", "-unlimited -longest 30", "-service 1us -longest 3"} {
		file := filepath.Join(t.TempDir(), "plot.svg")
		if err := run(append(strings.Fields(args), "-arrivals", "600", "-plot", file), io.Discard, io.Discard); err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		svg, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"<svg", "mean number in the system", "P(at least k in the system)", "simulated, 95 % interval"} {
			if !bytes.Contains(svg, []byte(text)) {
				t.Errorf("%s: no %q in the plot", args, text)
			}
		}
	}
}
