package walkthroughs_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/timerfacility/timer/teaching/walkthroughs"
)

var rewrite = flag.Bool("rewrite", os.Getenv("TIMER_REWRITE") != "", "draw the pictures anew; commit them only if you understand what changed")

// TestWalkthroughs plays every hand-out and compares its pictures.
func TestWalkthroughs(t *testing.T) {
	files, err := filepath.Glob("*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no walkthroughs (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := walkthroughs.Draw(string(data))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if got == string(data) {
				return
			}
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			gotLines, want := strings.Split(got, "\n"), strings.Split(string(data), "\n")
			for i := range gotLines {
				if i == len(want) || gotLines[i] != want[i] {
					t.Fatalf("%s:%d: got, from there on\n%s", file, i+1, strings.Join(gotLines[i:min(i+12, len(gotLines))], "\n"))
				}
			}
			t.Fatalf("%s: the file goes on after its last picture should end", file)
		})
	}
}

// TestCourse tests that the course in README.md has every hand-out, in order.
func TestCourse(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("*.txt")
	rest := string(readme)
	for _, file := range files {
		_, after, found := strings.Cut(rest, "]("+file+")")
		if !found {
			t.Errorf("README.md does not list %s in its place", file)
			continue
		}
		rest = after
	}
}
