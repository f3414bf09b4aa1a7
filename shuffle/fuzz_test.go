package shuffle

import (
	"bytes"
	"testing"
)

// FuzzKernels compares all kernels of all tiers with the reference, on any
// bytes, item size and alignment.
func FuzzKernels(f *testing.F) {
	f.Add(random(1000, 1), uint8(4), uint8(0))
	f.Add(random(4096*3, 2), uint8(8), uint8(5))
	f.Add(random(33*24, 3), uint8(23), uint8(63))
	f.Add([]byte{}, uint8(0), uint8(1))
	f.Fuzz(func(t *testing.T, src []byte, size, align uint8) {
		size, align = max(size, 1), align%guard
		defer Use(Tier())
		want, buf := make([]byte, len(src)), make([]byte, len(src)+2*guard+64)
		for _, k := range kernels {
			k.ref(want, src, int(size))
			for _, tier := range Tiers() {
				if err := Use(tier); err != nil {
					t.Fatal(err)
				}
				keep := bytes.Clone(src)
				k.check(t, buf, src, want, int(size), int(align))
				if !bytes.Equal(src, keep) {
					t.Fatalf("%s on %s wrote to its source", k.name, tier)
				}
			}
		}
		if value, ok := IsRun(src); ok != (len(src) > 0 && bytes.Count(src, src[:1]) == len(src)) || ok && value != src[0] {
			t.Fatalf("IsRun: %d, %v", value, ok)
		}
	})
}
