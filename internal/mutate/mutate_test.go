package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMutate(t *testing.T) {
	const source = `package p

func f(a, b int) (int, bool) {
	if a < b && a != 0 { // both
		a++
		return 0, false
	}
	for a > b {
		a = a%b + 1
	}
	switch {
	case g(a):
		b += min(a, b)
	}
	return a, true
}
`
	mutants, err := mutate("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range mutants {
		got = append(got, strings.TrimPrefix(m.String(), "p.go:"))
	}
	want := strings.Split(strings.TrimSpace(`
4: if a < b && a != 0 { a++ return 0, false } => nothing
4: if a < b && a != 0 { => if a != 0 {
4: if a < b && a != 0 { => if !(a < b && a != 0) {
4: if a < b && a != 0 { => if a <= b && a != 0 {
4: if a < b && a != 0 { => if a >= b && a != 0 {
4: if a < b && a != 0 { => if a < b {
4: if a < b && a != 0 { => if a < b || a != 0 {
4: if a < b && a != 0 { => if a < b && a == 0 {
4: if a < b && a != 0 { => if a < b && a != 1 {
5: a++ => nothing
5: a++ => a--
6: return 0, false => return 0, true
8: for a > b { => for a <= b {
8: for a > b { => for a >= b {
9: a = a%b + 1 => nothing
9: a = a%b + 1 => a = a/b + 1
9: a = a%b + 1 => a = a%b - 1
9: a = a%b + 1 => a = a%b + 0
9: a = a%b + 1 => a = a%b + 2
12: case g(a): => case !(g(a)):
13: b += min(a, b) => nothing
13: b += min(a, b) => b -= min(a, b)
13: b += min(a, b) => b += max(a, b)
15: return a, true => return a, false
`), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestEquivalents tests that each line of equivalent.txt is still about a mutant.
func TestEquivalents(t *testing.T) {
	known, err := equivalents()
	if err != nil {
		t.Fatal(err)
	}
	mutants, err := find(filepath.FromSlash("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if len(mutants) < 1000 {
		t.Errorf("only %d mutants", len(mutants))
	}
	for _, m := range mutants {
		delete(known, m.change())
	}
	for change, line := range known {
		t.Errorf("equivalent.txt:%d: there is no mutant %s", line, change)
	}
}

// TestTry kills a mutant, has one survive that changes nothing, and finds that one
// does not compile.
func TestTry(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("it runs go test three times")
	}
	t.Chdir(filepath.FromSlash("../.."))
	tester, err := newTester(time.Minute, "", "")
	if err != nil {
		t.Fatal(err)
	}
	defer tester.close()
	bitmap := tester.module + "/internal/bitmap"
	tester.imports = map[string][]string{bitmap: {bitmap}}
	source, err := os.ReadFile("internal/bitmap/bitmap.go")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]verdict{"word / 64": killed, "64 * word": survived, "wort*64": broken} {
		start := strings.Index(string(source), "word*64")
		m := mutant{file: "internal/bitmap/bitmap.go", source: source, start: start, end: start + len("word*64"), text: text}
		got, err := tester.try(m)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", m, got, want)
		}
	}
}
