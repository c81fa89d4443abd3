// Package bitmap keeps a set of small numbers, such as the slots of a wheel that
// hold timers, and finds the next member without a look at the numbers between:
// the bitmap of the counter chip in the paper's appendix A.
//
// A word covers 64 numbers, a word of the set above covers 64 words, and so on
// up to a set of one word. A number is in the upper set if and only if the word
// with that index is not zero.
//
//	upper                                    0 0 0 1 0 1
//	                                       ______/     \____
//	words         word 2: 0 .. 0 | .. | word 4: 0 1 1 0 .. 0 |  ..
package bitmap

import "math/bits"

// A Set is a set of the numbers below its size. All its operations cost O(log
// size) to the base 64: two words for up to 4096 numbers.
type Set struct {
	words []uint64
	upper *Set // nil above a single word
}

// New makes an empty set of numbers below size, which is at least 1.
func New(size int) *Set {
	s := &Set{words: make([]uint64, (size+63)/64)}
	if len(s.words) > 1 {
		s.upper = New(len(s.words))
	}
	return s
}

// Add puts i in the set, where it is most often already: that much the compiler puts
// into the caller.
func (s *Set) Add(i uint32) {
	if !s.Has(i) {
		s.add(i)
	}
}

func (s *Set) add(i uint32) {
	word := &s.words[i/64]
	if *word == 0 && s.upper != nil {
		s.upper.add(i / 64)
	}
	*word |= 1 << (i % 64)
}

// Remove takes i out of the set.
func (s *Set) Remove(i uint32) {
	word := &s.words[i/64]
	*word &^= 1 << (i % 64)
	if *word == 0 && s.upper != nil {
		s.upper.Remove(i / 64)
	}
}

// Has reports whether i is in the set.
func (s *Set) Has(i uint32) bool {
	return s.words[i/64]>>(i%64)&1 != 0
}

// Next is the least member that is not below i; false if there is none.
func (s *Set) Next(i uint32) (uint32, bool) {
	word := i / 64
	if int(word) >= len(s.words) {
		return 0, false
	}
	if rest := s.words[word] >> (i % 64); rest != 0 {
		return i + uint32(bits.TrailingZeros64(rest)), true
	}
	if s.upper == nil {
		return 0, false
	}
	word, ok := s.upper.Next(word + 1)
	if !ok {
		return 0, false
	}
	return word*64 + uint32(bits.TrailingZeros64(s.words[word])), true
}
