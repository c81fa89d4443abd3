package logic

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"strings"
)

// A Kind is what a gate does.
type Kind uint8

// The kinds of gates. An Input has no inputs itself; Not and Buf have one, the
// others two or more.
const (
	Input Kind = iota
	And
	Or
	Nand
	Nor
	Xor  // true if an odd number of inputs is
	Xnor // true if an even number of inputs is
	Not
	Buf
)

var kinds = [...]string{"INPUT", "AND", "OR", "NAND", "NOR", "XOR", "XNOR", "NOT", "BUFF"}

// String is the name in the .bench format.
func (k Kind) String() string { return kinds[k] }

// A Gate drives one signal, of its own name.
type Gate struct {
	Name   string
	Kind   Kind
	Inputs []int // the gates whose signals it sees, as indices of Circuit.Gates
}

// A Circuit is a netlist without loops. It is not to be changed.
type Circuit struct {
	Gates   []Gate // inputs too; every gate comes after those that it sees
	Inputs  []int  // indices of Gates, in the order of the netlist
	Outputs []int  // indices of Gates, in the order of the netlist
}

//go:embed circuits/c17.bench
var c17 string

// C17 is the circuit c17 of ISCAS-85: six NAND gates.
func C17() *Circuit {
	c, err := Parse(strings.NewReader(c17))
	if err != nil {
		panic("logic: " + err.Error())
	}
	return c
}

// Parse reads a netlist in the .bench format: INPUT(a), OUTPUT(z) and z = AND(a,
// b) in lines, in any order, with comments after #. The names of gates are AND,
// OR, NAND, NOR, XOR, XNOR, NOT and BUFF or BUF, in upper or lower case. An error
// names the line.
func Parse(r io.Reader) (*Circuit, error) {
	n := netlist{lines: make(map[string]*line)}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	for number := 1; scanner.Scan(); number++ {
		text, _, _ := strings.Cut(scanner.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if err := n.read(number, text); err != nil {
			return nil, fmt.Errorf("logic: line %d: %w", number, err)
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("logic: %w", err)
	}
	return n.circuit()
}

// A netlist is what was read, gates by the name of their signals.
type netlist struct {
	lines   map[string]*line
	order   []*line // as read
	outputs []*line
}

// A line drives a signal, or declares an output.
type line struct {
	number int
	name   string
	kind   Kind
	inputs []string
	state  int // of the search for loops
	gate   int // once it is placed
}

const (
	unplaced = iota
	placing
	placed
)

func (n *netlist) read(number int, text string) error {
	name, call, isGate := strings.Cut(text, "=")
	if !isGate {
		call = text
	}
	function, rest, ok := strings.Cut(call, "(")
	arguments, after, closed := strings.Cut(rest, ")")
	if !ok || !closed || strings.TrimSpace(after) != "" {
		return fmt.Errorf("%q is not INPUT(a), OUTPUT(a) or z = GATE(a, b)", text)
	}
	function = strings.ToUpper(strings.TrimSpace(function))
	l := &line{number: number, name: strings.TrimSpace(name)}
	for _, input := range strings.Split(arguments, ",") {
		if input = strings.TrimSpace(input); input == "" {
			return fmt.Errorf("%q has a signal without a name", text)
		}
		l.inputs = append(l.inputs, input)
	}
	if !isGate {
		if len(l.inputs) != 1 {
			return fmt.Errorf("%s takes one signal, not %d", function, len(l.inputs))
		}
		l.name, l.inputs = l.inputs[0], nil
		switch function {
		case "OUTPUT":
			n.outputs = append(n.outputs, l)
			return nil
		case "INPUT":
			return n.add(l)
		}
		return fmt.Errorf("%s is neither INPUT nor OUTPUT", function)
	}
	if l.name == "" {
		return fmt.Errorf("%q drives a signal without a name", text)
	}
	kind, err := parseKind(function)
	if err != nil {
		return err
	}
	l.kind = kind
	switch single := kind == Not || kind == Buf; {
	case single && len(l.inputs) != 1:
		return fmt.Errorf("%s takes one signal, not %d", function, len(l.inputs))
	case !single && len(l.inputs) < 2:
		return fmt.Errorf("%s takes two signals or more", function)
	}
	return n.add(l)
}

func parseKind(name string) (Kind, error) {
	switch name {
	case "BUF":
		return Buf, nil
	case "DFF":
		return 0, fmt.Errorf("DFF is a memory, and this is a simulator of combinational circuits")
	}
	for k := And; k <= Buf; k++ {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("no gate is named %s", name)
}

func (n *netlist) add(l *line) error {
	if other, ok := n.lines[l.name]; ok {
		return fmt.Errorf("signal %s is driven by line %d already", l.name, other.number)
	}
	n.lines[l.name] = l
	n.order = append(n.order, l)
	return nil
}

// circuit places every gate after those that it sees.
func (n *netlist) circuit() (*Circuit, error) {
	c := &Circuit{}
	var place func(l *line) error
	place = func(l *line) error {
		switch l.state {
		case placed:
			return nil
		case placing:
			return fmt.Errorf("logic: line %d: signal %s depends on itself", l.number, l.name)
		}
		l.state = placing
		g := Gate{Name: l.name, Kind: l.kind}
		for _, name := range l.inputs {
			input, ok := n.lines[name]
			if !ok {
				return fmt.Errorf("logic: line %d: nothing drives signal %s", l.number, name)
			}
			if err := place(input); err != nil {
				return err
			}
			g.Inputs = append(g.Inputs, input.gate)
		}
		l.state, l.gate = placed, c.add(g)
		return nil
	}
	for _, inputs := range []bool{true, false} { // inputs first, in their own order
		for _, l := range n.order {
			if (l.kind == Input) != inputs {
				continue
			}
			if err := place(l); err != nil {
				return nil, err
			}
		}
	}
	for _, l := range n.outputs {
		driver, ok := n.lines[l.name]
		if !ok {
			return nil, fmt.Errorf("logic: line %d: nothing drives signal %s", l.number, l.name)
		}
		c.Outputs = append(c.Outputs, driver.gate)
	}
	return c, nil
}

// add adds a gate, and returns its index.
func (c *Circuit) add(g Gate) int {
	c.Gates = append(c.Gates, g)
	i := len(c.Gates) - 1
	if g.Kind == Input {
		c.Inputs = append(c.Inputs, i)
	}
	return i
}

// Format writes the circuit in the .bench format, so that Parse reads it again.
func (c *Circuit) Format(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, i := range c.Inputs {
		fmt.Fprintf(b, "INPUT(%s)\n", c.Gates[i].Name)
	}
	for _, i := range c.Outputs {
		fmt.Fprintf(b, "OUTPUT(%s)\n", c.Gates[i].Name)
	}
	for _, g := range c.Gates {
		if g.Kind == Input {
			continue
		}
		var inputs []string
		for _, i := range g.Inputs {
			inputs = append(inputs, c.Gates[i].Name)
		}
		fmt.Fprintf(b, "%s = %v(%s)\n", g.Name, g.Kind, strings.Join(inputs, ", "))
	}
	return b.Flush()
}

// Depth is the number of gates on the longest path. O(gates).
func (c *Circuit) Depth() int {
	depth, deepest := make([]int, len(c.Gates)), 0
	for i, g := range c.Gates {
		for _, input := range g.Inputs {
			depth[i] = max(depth[i], depth[input]+1)
		}
		deepest = max(deepest, depth[i])
	}
	return deepest
}

// Eval is the values of the outputs in the end, for the values of the inputs: by
// Boolean algebra, without time. It panics if there are not as many values as
// inputs. O(gates).
func (c *Circuit) Eval(inputs []bool) []bool {
	values := make([]bool, len(c.Gates))
	c.mustMatch(inputs)
	for i, v := range inputs {
		values[c.Inputs[i]] = v
	}
	c.settle(values)
	return pick(values, c.Outputs)
}

func (c *Circuit) mustMatch(inputs []bool) {
	if len(inputs) != len(c.Inputs) {
		panic(fmt.Sprintf("logic: %d values for %d inputs", len(inputs), len(c.Inputs)))
	}
}

// settle gives every gate the value that the inputs' values lead to.
func (c *Circuit) settle(values []bool) {
	for i, g := range c.Gates {
		if g.Kind != Input {
			values[i] = g.value(values)
		}
	}
}

func pick(values []bool, indices []int) []bool {
	picked := make([]bool, len(indices))
	for i, index := range indices {
		picked[i] = values[index]
	}
	return picked
}

// value is what the gate makes of the values of all gates.
func (g *Gate) value(values []bool) bool {
	switch g.Kind {
	case And, Nand:
		for _, i := range g.Inputs {
			if !values[i] {
				return g.Kind == Nand
			}
		}
		return g.Kind == And
	case Or, Nor:
		for _, i := range g.Inputs {
			if values[i] {
				return g.Kind == Or
			}
		}
		return g.Kind == Nor
	case Xor, Xnor:
		v := g.Kind == Xnor
		for _, i := range g.Inputs {
			v = v != values[i]
		}
		return v
	case Not:
		return !values[g.Inputs[0]]
	default: // Buf
		return values[g.Inputs[0]]
	}
}
