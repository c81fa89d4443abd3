// Package bitmap keeps a set of small numbers, such as the slots of a wheel that
// hold timers, and finds the next member without a look at the numbers between:
// the bitmap of the counter chip in the paper's appendix A.
//
// A word covers 64 numbers, a word of the level above covers 64 words, and so
// on up to a level of one word. A bit of an upper level is set if and only if
// the word under it is not zero.
//
//	level 1                                  0 0 0 1 0 1
//	                                       ______/     \____
//	level 0   word 2: 0 .. 0 | .. | word 4: 0 1 1 0 .. 0 |  ..
package bitmap

import "math/bits"

// A Set is a set of the numbers below its size. All its operations cost O(log
// size) to the base 64: two words for up to 4096 numbers.
type Set struct {
	levels [][]uint64
}

// New makes an empty set of numbers below size, which is at least 1.
func New(size int) Set {
	var s Set
	for {
		size = (size + 63) / 64
		s.levels = append(s.levels, make([]uint64, size))
		if size == 1 {
			return s
		}
	}
}

// Add puts i in the set.
func (s *Set) Add(i uint32) {
	for _, level := range s.levels {
		word := &level[i/64]
		old := *word
		*word = old | 1<<(i%64)
		if old != 0 {
			return
		}
		i /= 64
	}
}

// Remove takes i out of the set.
func (s *Set) Remove(i uint32) {
	for _, level := range s.levels {
		word := &level[i/64]
		*word &^= 1 << (i % 64)
		if *word != 0 {
			return
		}
		i /= 64
	}
}

// Has reports whether i is in the set.
func (s *Set) Has(i uint32) bool {
	return s.levels[0][i/64]>>(i%64)&1 != 0
}

// Next is the least member that is not below i; false if there is none.
func (s *Set) Next(i uint32) (uint32, bool) {
	for l, level := range s.levels {
		if int(i/64) >= len(level) {
			return 0, false
		}
		if word := level[i/64] >> (i % 64); word != 0 {
			i += uint32(bits.TrailingZeros64(word))
			for l--; l >= 0; l-- {
				i = i*64 + uint32(bits.TrailingZeros64(s.levels[l][i]))
			}
			return i, true
		}
		i = i/64 + 1
	}
	return 0, false
}
