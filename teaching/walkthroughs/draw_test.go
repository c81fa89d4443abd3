package walkthroughs_test

import (
	"strings"
	"testing"

	"github.com/timerfacility/timer/teaching/walkthroughs"
)

// TestDrawKeepsTheStory draws a text without pictures, and one with wrong ones.
func TestDrawKeepsTheStory(t *testing.T) {
	const want = `# A story.

module basic maxinterval=3 now=1
start a 2 { stop a }
----
now       1
slots     ┌─────┬─▼─┬───┐
          │ 0   │ 1 │ 2 │
          └─┬───┴───┴───┘
            a 3
costs     compares 0, visits 0, moves 0

# Its end.
advance 2
----
3: a runs
  stop a: false
now       3
slots     ┌─▼─┬───┬───┐
          │ 0 │ 1 │ 2 │
          └───┴───┴───┘
costs     compares 0, visits 1 (+1), moves 0
`
	bare := "# A story.\n\nmodule basic maxinterval=3 now=1\nstart a 2 { stop a }\n----\n\n# Its end.\nadvance 2\n----\n"
	for _, text := range []string{bare, want, strings.ReplaceAll(want, "slots", "wrong")} {
		got, err := walkthroughs.Draw(text)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("drawn\n%s\nwant\n%s", got, want)
		}
	}
}

// TestDrawSaysWhatIsWrong tests that errors lead to the line.
func TestDrawSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"start a 1\n----\n", "line 1: no module is made before it"},
		{"module\n----\n", "line 1: module wants the name of a scheme"},
		{"\nmodule calendar\n----\n", `line 2: no scheme is named "calendar"`},
		{"module ordered now\n----\n", `line 1: "now" is not of the form name=value`},
		{"module ordered now=noon\n----\n", "line 1: now=noon: "},
		{"module ordered slots=4\n----\n", `line 1: this scheme has no field "slots"`},
		{"module tree kind=oak\n----\n", "line 1: kind=oak: want one of btree, binaryheap"},
		{"module hierarchical levels=60,x\n----\n", "line 1: levels=60,x: "},
		{"module hashsorted tablesize=3\n----\n", "line 1: hashsorted: TableSize 3 is not a power of two"},
		{"module ordered\n\n# more\n", "line 1: the block lacks its ----"},
		{"module ordered", "line 1: the block lacks its ----"},
		{"module ordered\n----\nold picture\n\n# more\nstart a\n----\n", "line 6: an interval is missing"},
		{"module ordered\nstop a\n----\n", "line 2: no timer a is started"},
	} {
		_, err := walkthroughs.Draw(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Draw(%q) gave %v, want an error with %q", c.text, err, c.want)
		}
	}
}
