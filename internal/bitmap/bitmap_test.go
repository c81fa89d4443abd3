package bitmap

import (
	"math/rand/v2"
	"testing"
)

// TestAgreesWithArray compares the set with an array of bools, at sizes on both
// sides of every change in the number of levels.
func TestAgreesWithArray(t *testing.T) {
	for _, size := range []int{1, 2, 63, 64, 65, 256, 4095, 4096, 4097, 70000, 1 << 18, 1<<18 + 1} {
		rng := rand.New(rand.NewPCG(1, uint64(size)))
		set, want := New(size), make([]bool, size)
		if len(set.words) != (size-1)/64+1 {
			t.Errorf("size %d: %d words", size, len(set.words))
		}
		for range 2000 {
			i := rng.Uint32N(uint32(size))
			if rng.IntN(2) == 0 {
				set.Add(i)
				want[i] = true
			} else {
				set.Remove(i)
				want[i] = false
			}
			if got := set.Has(i); got != want[i] {
				t.Fatalf("size %d: Has(%d) = %t, want %t", size, i, got, want[i])
			}
			from := rng.Uint32N(uint32(size) + 2)
			next, found := from, false
			for ; int(next) < size; next++ {
				if want[next] {
					found = true
					break
				}
			}
			if got, ok := set.Next(from); ok != found || ok && got != next {
				t.Fatalf("size %d: Next(%d) = %d, %t, want %d, %t", size, from, got, ok, next, found)
			}
		}
		for i := range want {
			set.Remove(uint32(i))
		}
		if got, ok := set.Next(0); ok {
			t.Fatalf("size %d: Next(0) = %d in an empty set", size, got)
		}
	}
}
