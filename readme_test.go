package timer_test

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
	"github.com/timerfacility/timer/facility"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

type Conn struct{ name string }

func (c *Conn) timeout() { fmt.Println(c.name, "is idle, closed") }

// Example_server is the README's use of a scheme in a server.
func Example_server() {
	// One tick is a millisecond of the server's own loop.
	timers, err := hierarchical.New[*Conn](hierarchical.Config{})
	if err != nil {
		panic(err)
	}

	alice, bob := &Conn{"alice"}, &Conn{"bob"}
	const idle = timer.Tick(30 * time.Second / time.Millisecond)
	a, _ := timers.StartTimer(idle, alice, (*Conn).timeout)
	b, _ := timers.StartTimer(idle, bob, (*Conn).timeout)

	timer.AdvanceTo(timers, 20_000, timer.All) // the loop, 20 s later
	_ = timers.ResetTimer(a, idle)             // alice sent something
	fmt.Println("bob hangs up:", timers.StopTimer(b))

	timer.AdvanceTo(timers, 60_000, timer.All)
	// Output:
	// bob hangs up: true
	// alice is idle, closed
}

// Example_facility is the README's use of the wall-clock service.
func Example_facility() {
	conn, _ := net.Pipe()

	timers, err := facility.New(facility.Config{})
	if err != nil {
		panic(err)
	}
	defer timers.Close()

	closeIdle := func(id any) { _ = id.(net.Conn).Close() }
	idle := timers.StartTimer(30*time.Second, conn, closeIdle) // once for each connection
	idle.Reset(30 * time.Second)                               // for every packet
	fmt.Println(idle.Stop())                                   // true: closeIdle will never run
	// Output: true
}

// mywheel stands for the module of a reader of the README.
var mywheel = struct {
	New func(now timer.Tick) timer.Timer[int]
}{func(now timer.Tick) timer.Timer[int] {
	w, err := hierarchical.New[int](hierarchical.Config{Now: now})
	if err != nil {
		panic(err)
	}
	return w
}}

func TestConformance(t *testing.T) {
	conformance.Suite{
		New:   func() timer.Timer[int] { return mywheel.New(0) },
		NewAt: func(now timer.Tick) timer.Timer[int] { return mywheel.New(now) }, // optional
	}.Run(t)
}

// TestReadmeCompiles holds the README's code to code that is compiled and run:
// every line of its Go blocks stands in a test file of this module.
func TestReadmeCompiles(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var compiled strings.Builder
	for _, file := range []string{"readme_test.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(source)) {
			compiled.WriteString(strings.TrimSpace(line) + "\n")
		}
	}
	blocks := strings.Split(string(readme), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("the README has no Go")
	}
	for _, block := range blocks {
		code, _, _ := strings.Cut(block, "```")
		for line := range strings.Lines(code) {
			line = strings.TrimSpace(line)
			if line != "" && !strings.Contains(compiled.String(), line+"\n") {
				t.Errorf("README: no test has the line %q", line)
			}
		}
	}
}
