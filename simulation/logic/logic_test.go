package logic_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	basic "github.com/timerfacility/timer/scheme4_basic"
	"github.com/timerfacility/timer/simulation"
	"github.com/timerfacility/timer/simulation/internal/eventlists"
	"github.com/timerfacility/timer/simulation/logic"
)

func newList(t testing.TB) timer.Timer[int] {
	t.Helper()
	l, err := ordered.New[int](ordered.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func newSimulator(t testing.TB, c *logic.Circuit, module timer.Timer[int], cfg logic.Config) *logic.Simulator {
	t.Helper()
	s, err := logic.NewSimulator(c, module, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t testing.TB, text string) *logic.Circuit {
	t.Helper()
	c, err := logic.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newMultiplier(t testing.TB, n int) *logic.Circuit {
	t.Helper()
	c, err := logic.Multiplier(n)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// delays are those that the tests sweep: equal ones, small ones, and such as
// leave one turn of a wheel of 256 slots.
func delays(seed uint64) map[string]logic.Delay {
	r := rand.New(rand.NewPCG(seed, 17))
	memo := make(map[string]timer.Tick)
	return map[string]logic.Delay{
		"unit":  logic.UnitDelay,
		"fanin": logic.FaninDelay,
		"long": func(g logic.Gate) timer.Tick {
			if memo[g.Name] == 0 {
				memo[g.Name] = 1 + timer.Tick(r.IntN(300))
			}
			return memo[g.Name]
		},
	}
}

func TestC17(t *testing.T) {
	c := logic.C17()
	s := newSimulator(t, c, newList(t), logic.Config{})
	for x := range uint64(32) {
		in := logic.Bits(x, 5) // 1, 2, 3, 6, 7
		want := []bool{
			in[0] && in[2] || in[1] && !(in[2] && in[3]),
			in[1] && !(in[2] && in[3]) || !(in[2] && in[3]) && in[4],
		}
		if got := c.Eval(in); !slices.Equal(got, want) {
			t.Errorf("inputs %v: outputs %v, want %v", in, got, want)
		}
		s.Set(in)
		if err := s.Settle(); err != nil {
			t.Fatal(err)
		}
		if got := s.Outputs(); !slices.Equal(got, want) {
			t.Errorf("simulated, inputs %v: outputs %v, want %v", in, got, want)
		}
	}
}

// The gates by their truth tables, with one, two and three inputs.
func TestGates(t *testing.T) {
	for kind, truth := range map[string]string{ // of the inputs 000, 001, ..., 111
		"AND": "00000001", "OR": "01111111", "NAND": "11111110", "NOR": "10000000",
		"XOR": "01101001", "XNOR": "10010110", "NOT": "10", "BUFF": "01", "buf": "01",
	} {
		c := parse(t, "INPUT(a)\nINPUT(b)\nINPUT(c)\nOUTPUT(z)\nz = "+kind+map[int]string{8: "(a, b, c)", 2: "(a)"}[len(truth)])
		for x := range truth {
			if got, want := c.Eval(logic.Bits(uint64(x), 3))[0], truth[x] == '1'; got != want {
				t.Errorf("%s of inputs %03b is %v, want %v", kind, x, got, want)
			}
		}
	}
}

func TestMultiplierIsOneByAlgebra(t *testing.T) {
	for n := 2; n <= 4; n++ {
		c := newMultiplier(t, n)
		for a := range uint64(1) << n {
			for b := range uint64(1) << n {
				if got := logic.Number(c.Eval(append(logic.Bits(a, n), logic.Bits(b, n)...))); got != a*b {
					t.Fatalf("%d bits: %d·%d = %d", n, a, b, got)
				}
			}
		}
	}
	c := newMultiplier(t, 32)
	const all = 1<<32 - 1
	if got := logic.Number(c.Eval(logic.Bits(1<<63-1+1<<63, 64))); got != all*all {
		t.Errorf("the largest product of 32 bits is %d", got)
	}
	// The adders of c6288: 240, of them 16 half.
	kinds := map[logic.Kind]int{}
	for _, g := range newMultiplier(t, 16).Gates {
		kinds[g.Kind]++
	}
	if want := map[logic.Kind]int{logic.Input: 32, logic.And: 256 + 16, logic.Nor: 224*9 + 16*2}; !reflect.DeepEqual(kinds, want) {
		t.Errorf("mult16 has gates %v, want %v", kinds, want)
	}
}

// The products are right with every scheme as the event list, with every delay
// and both ways of time; and not only the products: every scheme does the same
// number of everything, in the same time.
func TestMultiplierOnEveryEventList(t *testing.T) {
	c := newMultiplier(t, 16)
	for name, delay := range delays(1) {
		t.Run("delay="+name, func(t *testing.T) {
			type result struct {
				counts logic.Counts
				now    timer.Tick
			}
			var want result
			for i, l := range eventlists.All() {
				s := newSimulator(t, c, l.New(), logic.Config{Delay: delay, Flow: simulation.Flow(i % 2)})
				r := rand.New(rand.NewPCG(1, 2))
				for range 3 {
					a, b := uint64(r.Uint32N(1<<16)), uint64(r.Uint32N(1<<16))
					s.Set(logic.Bits(a|b<<16, 32))
					if err := s.Settle(); err != nil {
						t.Fatal(err)
					}
					if got := logic.Number(s.Outputs()); got != a*b {
						t.Fatalf("%s: %d·%d = %d", l.Name, a, b, got)
					}
				}
				got := result{s.Counts(), s.Now()}
				if got.counts.Scheduled != got.counts.Performed+got.counts.Cancelled {
					t.Errorf("%s: %+v does not add up", l.Name, got.counts)
				}
				if i == 0 {
					want = got
					t.Logf("%+v", got)
				}
				if got != want {
					t.Errorf("%s: %+v, want %+v", l.Name, got, want)
				}
			}
		})
	}
}

// random is a random circuit of all kinds of gates.
func random(r *rand.Rand, inputs, gates int) string {
	var b strings.Builder
	names := []string{}
	for i := range inputs {
		names = append(names, fmt.Sprint("i", i))
		fmt.Fprintf(&b, "INPUT(i%d)\n", i)
	}
	for i := range gates {
		kind := []string{"AND", "OR", "NAND", "NOR", "XOR", "XNOR", "NOT", "BUFF"}[r.IntN(8)]
		n := 1
		if kind != "NOT" && kind != "BUFF" {
			n = 2 + r.IntN(3)
		}
		var seen []string
		for range n {
			seen = append(seen, names[max(0, len(names)-1-r.IntN(30))])
		}
		names = append(names, fmt.Sprint("g", i))
		fmt.Fprintf(&b, "g%d = %s(%s)\n", i, kind, strings.Join(seen, ","))
		fmt.Fprintf(&b, "OUTPUT(g%d)\n", i)
	}
	return b.String()
}

// A circuit settles to what Boolean algebra says, also if its inputs change
// again before it has settled.
func TestRandomCircuits(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := parse(t, random(r, 8, 200))
		for name, delay := range delays(seed) {
			s := newSimulator(t, c, newList(t), logic.Config{Delay: delay})
			for range 20 {
				in := logic.Bits(r.Uint64(), 8)
				s.Set(logic.Bits(r.Uint64(), 8)) // a pulse of no width
				s.Set(in)
				if err := s.Settle(); err != nil {
					t.Fatal(err)
				}
				if got, want := s.Outputs(), c.Eval(in); !slices.Equal(got, want) {
					t.Fatalf("seed %d, delay %s: outputs differ from algebra's", seed, name)
				}
			}
		}
	}
}

// A pulse shorter than the delay has no effect, one as long has.
func TestInertialDelay(t *testing.T) {
	for width, pulses := range map[timer.Tick]bool{1: false, 4: false, 5: true, 6: true} {
		// The inputs of z differ for width ticks after a rises.
		c := parse(t, "INPUT(a)\nOUTPUT(z)\nlate = NOT(a)\nz = AND(a, late)")
		changes := 0
		s := newSimulator(t, c, newList(t), logic.Config{
			Delay: func(g logic.Gate) timer.Tick {
				if g.Name == "late" {
					return width
				}
				return 5
			},
			Changed: func(gate int, _ bool) {
				if c.Gates[gate].Name == "z" {
					changes++
				}
			},
		})
		s.Set([]bool{true})
		if err := s.Settle(); err != nil {
			t.Fatal(err)
		}
		wantChanges, wantCancelled := 0, uint64(1)
		if pulses {
			wantChanges, wantCancelled = 2, 0
		}
		if changes != wantChanges || s.Counts().Cancelled != wantCancelled {
			t.Errorf("a pulse of %d ticks at a delay of 5: %d changes and %d cancelled, want %d and %d",
				width, changes, s.Counts().Cancelled, wantChanges, wantCancelled)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []*logic.Circuit{logic.C17(), newMultiplier(t, 5)} {
		var b bytes.Buffer
		if err := c.Format(&b); err != nil {
			t.Fatal(err)
		}
		again := parse(t, b.String())
		if !reflect.DeepEqual(c, again) {
			t.Error("the circuit is another after Format and Parse")
		}
	}
}

// Inputs and outputs are in the order of the netlist, wherever they are first
// used.
func TestOrderOfInputs(t *testing.T) {
	c := parse(t, "OUTPUT(y)\nOUTPUT(z)\nz = BUF(b)\nINPUT(a)\ny = BUF(a)\nINPUT(b)\n")
	if got, want := c.Eval([]bool{true, false}), []bool{true, false}; !slices.Equal(got, want) {
		t.Errorf("outputs %v, want %v", got, want)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"INPUT(a)\nz = AND(a, b)\n":             "logic: line 2: nothing drives signal b",
		"INPUT(a)\nOUTPUT(z)":                   "logic: line 2: nothing drives signal z",
		"INPUT(a)\n\n# again\nINPUT(a)":         "logic: line 4: signal a is driven by line 1 already",
		"INPUT(a)\ny = NOT(z)\nz = AND(a, y)":   "depends on itself",
		"z = NOT(z)":                            "logic: line 1: signal z depends on itself",
		"INPUT(a)\nz = FLIP(a)":                 "logic: line 2: no gate is named FLIP",
		"INPUT(a)\nz = DFF(a)":                  "logic: line 2: DFF is a memory",
		"INPUT(a)\nz = INPUT(a)":                "logic: line 2: no gate is named INPUT",
		"INPUT(a)\nz = NOT(a, a)":               "logic: line 2: NOT takes one signal, not 2",
		"INPUT(a)\nz = AND(a)":                  "logic: line 2: AND takes two signals or more",
		"INPUT(a)\nz = AND(a,)":                 "logic: line 2: \"z = AND(a,)\" has a signal without a name",
		"INPUT(a)\n = AND(a, a)":                "drives a signal without a name",
		"INPUT()":                               "has a signal without a name",
		"INPUT(a, b)":                           "logic: line 1: INPUT takes one signal, not 2",
		"PORT(a)":                               "logic: line 1: PORT is neither INPUT nor OUTPUT",
		"INPUT a":                               "logic: line 1: \"INPUT a\" is not INPUT(a), OUTPUT(a) or z = GATE(a, b)",
		"INPUT(a) INPUT(b)":                     "is not INPUT(a)",
		"INPUT(a)\nz = NOT(a":                   "is not INPUT(a)",
		"INPUT(" + strings.Repeat("a", 2000000): "logic: bufio.Scanner: token too long",
	} {
		_, err := logic.Parse(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q gave the error %v, want one with %q", text, err, want)
		}
	}
	for _, n := range []int{1, 33} {
		if _, err := logic.Multiplier(n); err == nil {
			t.Errorf("a multiplier of %d bits was made", n)
		}
	}
}

// Whatever is parsed without an error can be formatted and parsed again, and
// evaluated.
func FuzzParse(f *testing.F) {
	var b bytes.Buffer
	if err := logic.C17().Format(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.String())
	f.Add("INPUT(a)\nOUTPUT(z)\nz = xnor(a, y) # late\ny = BUF(a)")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := logic.Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := c.Format(&b); err != nil {
			t.Fatal(err)
		}
		again, err := logic.Parse(&b)
		if err != nil {
			t.Fatalf("%v in what Format wrote:\n%s", err, b.String())
		}
		in := make([]bool, len(c.Inputs))
		for i := range in {
			in[i] = i%2 == 0
		}
		if len(again.Inputs) != len(in) || !slices.Equal(c.Eval(in), again.Eval(in)) {
			t.Error("the circuit is another after Format and Parse")
		}
	})
}

func TestDelayErrors(t *testing.T) {
	none := func(logic.Gate) timer.Tick { return 0 }
	if _, err := logic.NewSimulator(logic.C17(), newList(t), logic.Config{Delay: none}); err == nil || !strings.Contains(err.Error(), "gate 10 has delay 0") {
		t.Errorf("delay 0: %v", err)
	}
	short, err := basic.New[int](basic.Config{MaxInterval: 4})
	if err != nil {
		t.Fatal(err)
	}
	s := newSimulator(t, logic.C17(), short, logic.Config{Delay: func(logic.Gate) timer.Tick { return 5 }})
	s.Set(logic.Bits(31, 5))
	if err := s.Settle(); !errors.Is(err, timer.ErrInterval) {
		t.Errorf("a delay over the event list's bound: %v", err)
	}
}

// Events per second with each event list, with equal delays and with such as
// spread over a wheel.
func BenchmarkMultiplier(b *testing.B) {
	c := newMultiplier(b, 16)
	for _, delay := range []string{"unit", "long"} {
		for _, l := range eventlists.All() {
			b.Run(fmt.Sprintf("delay=%s/scheme=%s", delay, l.Name), func(b *testing.B) {
				s := newSimulator(b, c, l.New(), logic.Config{Delay: delays(1)[delay]})
				r := rand.New(rand.NewPCG(1, 2))
				for b.Loop() {
					s.Set(logic.Bits(r.Uint64(), 32))
					if err := s.Settle(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(s.Counts().Scheduled)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}
