package logic

import "fmt"

// Multiplier is a multiplier of two numbers of n bits, 2 to 32: an array of n²
// AND gates, which multiply bit by bit, and n(n-1) adders of one bit, which save
// their carries for the row below; the last row ripples. This is the structure of
// c6288 of ISCAS-85, which has n = 16 and 240 adders, too, 16 of them half
// adders; its half adders are built of other gates. An n out of range is an
// error.
//
// The inputs are a0, a1, ... and then b0, b1, ..., lowest bit first, the outputs
// p0, p1, ..., p2n-1.
func Multiplier(n int) (*Circuit, error) {
	if n < 2 || n > 32 {
		return nil, fmt.Errorf("logic: a multiplier of %d bits is not from 2 to 32", n)
	}
	c := &Circuit{}
	bits := func(name string) []int {
		var word []int
		for i := range n {
			word = append(word, c.add(Gate{Name: fmt.Sprint(name, i), Kind: Input}))
		}
		return word
	}
	a, b := bits("a"), bits("b")
	product := func(i, j int) int { // of weight i+j
		return c.add(Gate{fmt.Sprintf("m%d.%d", i, j), And, []int{a[j], b[i]}})
	}
	output := func(signal int) {
		c.Gates[signal].Name = fmt.Sprint("p", len(c.Outputs))
		c.Outputs = append(c.Outputs, signal)
	}

	// The sums and the carries of the row above, by column. Column j of row i has
	// weight i+j; the sum of column j+1 and the carry of column j above have that
	// weight, too.
	sums, carries := make([]int, n), make([]int, n-1)
	for j := range sums {
		sums[j] = product(0, j)
	}
	for i := 1; i < n; i++ {
		output(sums[0])
		above := carries
		carries = make([]int, n-1)
		for j := range n - 1 {
			add := fmt.Sprintf("s%d.%d", i, j)
			if i == 1 {
				sums[j], carries[j] = c.halfAdder(add, product(i, j), sums[j+1])
			} else {
				sums[j], carries[j] = c.fullAdder(add, product(i, j), sums[j+1], above[j])
			}
		}
		sums[n-1] = product(i, n-1)
	}
	output(sums[0])
	var carry int
	for j := range n - 1 {
		add := fmt.Sprintf("s%d.%d", n, j)
		var sum int
		if j == 0 {
			sum, carry = c.halfAdder(add, sums[j+1], carries[j])
		} else {
			sum, carry = c.fullAdder(add, sums[j+1], carries[j], carry)
		}
		output(sum)
	}
	output(carry)
	return c, nil
}

// halfAdder adds x and y with three gates.
func (c *Circuit) halfAdder(name string, x, y int) (sum, carry int) {
	carry = c.add(Gate{name + ".c", And, []int{x, y}})
	neither := c.add(Gate{name + ".1", Nor, []int{x, y}})
	return c.add(Gate{name, Nor, []int{carry, neither}}), carry
}

// fullAdder adds x, y and z with nine NOR gates.
func (c *Circuit) fullAdder(name string, x, y, z int) (sum, carry int) {
	gate := 0
	nor := func(p, q int) int {
		gate++
		return c.add(Gate{fmt.Sprint(name, ".", gate), Nor, []int{p, q}})
	}
	xnor := func(p, q int) (result, neither int) {
		neither = nor(p, q)
		return nor(nor(p, neither), nor(q, neither)), neither
	}
	equal, neither := xnor(x, y)
	sum, neither2 := xnor(equal, z)
	return sum, nor(neither, neither2)
}

// Bits are the n lowest bits of x, lowest first.
func Bits(x uint64, n int) []bool {
	bits := make([]bool, n)
	for i := range bits {
		bits[i] = x>>i&1 != 0
	}
	return bits
}

// Number is the number whose bits these are, lowest first: at most 64.
func Number(bits []bool) uint64 {
	var x uint64
	for i, bit := range bits {
		if bit {
			x |= 1 << i
		}
	}
	return x
}
