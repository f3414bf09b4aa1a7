package lizard

import (
	"testing"
)

func longer(lit *[]byte, n, full int) int {
	if n < full {
		return n
	}
	b := *lit
	switch b[0] {
	case 254:
		*lit = b[3:]
		return full + u16(b[1:])
	case 255:
		*lit = b[4:]
		return full + u24(b[1:])
	}
	*lit = b[1:]
	return full + int(b[0])
}

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
