package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A verdict is what became of a mutant.
type verdict string

const (
	killed   verdict = "killed"
	timedOut verdict = "timed out"
	broken   verdict = "did not compile"
	survived verdict = "survived"
)

// A tester runs tests on mutants.
type tester struct {
	limit   time.Duration
	skip    string
	wrapper string
	module  string              // its import path
	imports map[string][]string // of each package that has tests, it first: what it imports, directly or not
	sound   map[string]bool     // the packages whose tests pass without a mutant
	dir     string              // for the mutants
}

func newTester(limit time.Duration, skip, wrapper string) (*tester, error) {
	t := &tester{limit: limit, skip: skip, wrapper: wrapper, imports: make(map[string][]string), sound: make(map[string]bool)}
	out, err := goCommand("list", "-m", "-f", "{{.Path}}\t{{.Dir}}")
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		module, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if dir == here {
			t.module = module
		}
	}
	if t.module == "" {
		return nil, errors.New("run it in the root of the module")
	}
	out, err = goCommand("list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, ".", "./internal/record", "./internal/bitmap", "./scheme...", "./"+walkthroughs)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		packages := strings.Fields(line)
		t.imports[packages[0]] = packages
	}
	t.dir, err = os.MkdirTemp("", "mutate")
	return t, err
}

func (t *tester) close() { os.RemoveAll(t.dir) }

// walkthroughs is the package whose tests play on every scheme and take no time.
const walkthroughs = "teaching/walkthroughs"

// try runs the tests of the mutant's package, and then of those that import it,
// until one fails.
func (t *tester) try(m mutant) (verdict, error) {
	overlay, err := t.overlay(m)
	if err != nil {
		return "", err
	}
	mutated := path.Join(t.module, path.Dir(m.file))
	var packages []string
	for p, imports := range t.imports {
		if slices.Contains(imports, mutated) {
			packages = append(packages, p)
		}
	}
	first := []string{path.Join(t.module, walkthroughs), mutated} // the last of them first
	slices.SortFunc(packages, func(a, b string) int {
		return cmp.Or(slices.Index(first, b)-slices.Index(first, a), strings.Compare(a, b))
	})
	for _, p := range packages {
		if !t.sound[p] {
			if v, out := t.test(p, ""); v != survived {
				return "", fmt.Errorf("the tests of %s do not pass without a mutant either:\n%s", p, out)
			}
			t.sound[p] = true
		}
		switch v, out := t.test(p, overlay); v {
		case survived:
		case "":
			return "", fmt.Errorf("the tests of %s did not run:\n%s", p, out)
		default:
			return v, nil
		}
	}
	return survived, nil
}

// overlay writes the mutant to a file, and the file that has go test take it.
func (t *tester) overlay(m mutant) (string, error) {
	original, err := filepath.Abs(filepath.FromSlash(m.file))
	if err != nil {
		return "", err
	}
	mutated, overlay := filepath.Join(t.dir, "mutant.go"), filepath.Join(t.dir, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {original: mutated}})
	if err != nil {
		return "", err
	}
	return overlay, errors.Join(os.WriteFile(mutated, m.mutated(), 0o666), os.WriteFile(overlay, text, 0o666))
}

// test runs the tests of a package, with an overlay if there is one. It has no
// verdict if they did not run.
func (t *tester) test(pkg, overlay string) (verdict, string) {
	args := []string{"test", "-short", "-failfast", "-count=1", "-vet=off", "-timeout=" + t.limit.String()}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	if t.skip != "" {
		args = append(args, "-skip="+t.skip)
	}
	if t.wrapper != "" {
		args = append(args, "-exec="+t.wrapper)
	}
	out, err := goCommand(append(args, pkg)...)
	switch {
	case err == nil:
		return survived, out
	case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
		return broken, out
	case strings.Contains(out, "panic: test timed out"):
		return timedOut, out
	case strings.Contains(out, "FAIL"):
		return killed, out
	}
	return "", out
}

// goCommand is the output of the go command, with that of its errors.
func goCommand(args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("go %s: %w\n%s", args[0], err, &out)
	}
	return out.String(), err
}
