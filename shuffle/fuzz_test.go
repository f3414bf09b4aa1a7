package shuffle

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// FuzzKernels compares a kernel on all tiers with its reference. The input is n bytes
// that repeat the given ones, with any item size and alignment.
func FuzzKernels(f *testing.F) {
	for which := range all {
		f.Add(random(97, 1), uint16(4099), uint8(which), uint8(4), uint8(0))
		f.Add(random(50, 3), uint16(300), uint8(which), uint8(23), uint8(63))
	}
	f.Fuzz(func(t *testing.T, data []byte, n uint16, which, size, align uint8) {
		defer b2test.Cost(t)()
		src := make([]byte, n%8192)
		if len(data) > 0 {
			Fill(src, data)
		}
		k := all[int(which)%len(all)]
		size, align = max(size, 1), align%guard
		want, buf, keep := make([]byte, len(src)), make([]byte, len(src)+2*guard+64), bytes.Clone(src)
		k.ref(want, src, int(size))
		defer Use(Tier())
		for _, tier := range Tiers() {
			if err := Use(tier); err != nil {
				t.Fatal(err)
			}
			k.check(t, buf, src, want, int(size), int(align))
			if !bytes.Equal(src, keep) {
				t.Fatalf("%s on %s wrote to its source", k.name, tier)
			}
		}
	})
}

// FuzzIsRun compares IsRun with counting.
func FuzzIsRun(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{7, 7, 7})
	f.Add(append(make([]byte, 100), 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		value, ok := IsRun(b)
		if want := len(b) > 0 && bytes.Count(b, b[:1]) == len(b); ok != want || ok && value != b[0] {
			t.Fatalf("%x: %d, %v", b, value, ok)
		}
	})
}
