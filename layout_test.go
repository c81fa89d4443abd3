package timer_test

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const path = "github.com/timerfacility/timer"

// schemes are the directories of the seven schemes.
func schemes(t *testing.T) []string {
	t.Helper()
	directories, err := filepath.Glob("scheme[0-9]*_*")
	if err != nil {
		t.Fatal(err)
	}
	if len(directories) < 7 {
		t.Fatalf("%d schemes, want 7", len(directories))
	}
	return directories
}

// TestLayout: every scheme has the same set of files, so that one can be laid beside
// another, and its package is what its directory is called after the number.
func TestLayout(t *testing.T) {
	name := regexp.MustCompile(`^scheme([1-9][0-9]*)_([a-z0-9_]+)$`)
	for _, directory := range schemes(t) {
		match := name.FindStringSubmatch(directory)
		if match == nil {
			t.Errorf("%s is not called scheme, a number and a name", directory)
			continue
		}
		want := strings.ReplaceAll(match[2], "_", "")
		for _, file := range []string{"doc.go", want + ".go", "conformance_test.go", "paper_test.go", "example_test.go"} {
			source, err := parser.ParseFile(token.NewFileSet(), filepath.Join(directory, file), nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Error(err)
				continue
			}
			if got := strings.TrimSuffix(source.Name.Name, "_test"); got != want {
				t.Errorf("%s/%s is in package %s, want %s", directory, file, got, want)
			}
			if document := source.Doc.Text(); (file == "doc.go") != strings.HasPrefix(document, "Package "+want+" implements Scheme "+match[1]+" ") {
				t.Errorf("%s/%s has the package comment %.40q", directory, file, document)
			}
		}
		entries, err := os.ReadDir(directory)
		if err != nil {
			t.Fatal(err)
		}
		algorithm := 0
		for _, entry := range entries {
			if file := entry.Name(); strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") && file != "doc.go" {
				algorithm++
			}
		}
		if algorithm != 1 {
			t.Errorf("%s has %d files for the algorithm, want one that reads from top to bottom", directory, algorithm)
		}
	}
}

// TestDependencies: the root needs the standard library only, conformance the root
// as well, and a scheme internal/ as well; Scheme 3 has google/btree. Nobody who
// imports one gets a plotting library with it.
func TestDependencies(t *testing.T) {
	command, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to ask for the dependencies:", err)
	}
	allowed := map[string][]string{
		".":             {path},
		"./conformance": {path, path + "/conformance"},
	}
	for _, directory := range schemes(t) {
		all := []string{path, path + "/internal/", path + "/" + directory}
		if strings.HasPrefix(directory, "scheme3_") {
			all = append(all, "github.com/google/btree")
		}
		allowed["./"+directory] = all
	}
	for pkg, want := range allowed {
		list := exec.Command(command, "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", pkg)
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			t.Fatalf("%s: %v", list, err)
		}
		for _, dependency := range strings.Fields(string(out)) {
			ok := false
			for _, w := range want {
				ok = ok || dependency == w || strings.HasSuffix(w, "/") && strings.HasPrefix(dependency, w)
			}
			if !ok {
				t.Errorf("%s depends on %s", pkg, dependency)
			}
		}
	}
}
