package lizard

import (
	"testing"
)

// TestRestrictions parses blocks of every level and checks that each restriction holds,
// and that some input tests it.
func TestRestrictions(t *testing.T) {
	seen := make([]int, len(restrictions))
	var e Encoder
	for name, src := range inputs() {
		for level := MinLevel; level <= MaxLevel; level++ {
			if level%10 > 5 && len(src) > 200_000 {
				continue // hundreds of candidates per position are slow, and test nothing new
			}
			block := make([]byte, bound(len(src)))
			n := e.Encode(block, src, level)
			if n == 0 {
				t.Fatalf("%s, level %d: does not fit into %d bytes", name, level, len(block))
			}
			for _, sub := range walk(t, block[:n]) {
				for i, r := range restrictions {
					k, err := r.check(level, len(src), sub)
					if err != nil {
						t.Fatalf("%s, level %d, sub-block at %d: broken: %s: %v", name, level, sub.from, r.name, err)
					}
					seen[i] += k
				}
			}
		}
	}
	for i, r := range restrictions {
		if seen[i] == 0 {
			t.Errorf("never put to the test: %s", r.name)
		}
	}
}
