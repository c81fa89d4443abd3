package bench

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Every claim stands in the registry, once, and says what a reader needs.
func TestClaimsAreComplete(t *testing.T) {
	list, err := os.ReadFile("testdata/claims.txt")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(list)) {
		if !strings.HasPrefix(line, "#") {
			want = append(want, strings.Fields(line)...)
		}
	}
	var got []string
	for _, c := range Claims() {
		got = append(got, c.ID)
		if c.Title == "" || c.Text == "" || c.Source == "" {
			t.Errorf("%s lacks a title, a text or a source", c.ID)
		}
		if c.Expect == NotTestable != (c.Measure == nil) {
			t.Errorf("%s is %q and has an experiment: %t", c.ID, c.Expect, c.Measure != nil)
		}
		if c.Expect != Holds && c.Why == "" {
			t.Errorf("%s is %q and does not say why", c.ID, c.Expect)
		}
		if c.Measure != nil && c.Printed == "" && c.Predicted == "" {
			t.Errorf("%s says neither what is printed nor what is predicted", c.ID)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got claims %v, want %v", got, want)
	}
}
