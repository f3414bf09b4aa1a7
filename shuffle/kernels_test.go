package shuffle

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"
)

// full makes the comparisons of kernels complete. By default they use samples.
var full = flag.Bool("full", os.Getenv("BLOSC2_FULL") != "", "compare the kernels at every length and alignment: minutes (also $BLOSC2_FULL)")

// TestShort compares all kernels at every length up to 300.
func TestShort(t *testing.T) {
	defer Use(Tier())
	data, want, buf := random(300, 1), make([]byte, 300), make([]byte, 300+2*guard+64)
	for _, k := range all {
		for _, size := range k.sizes {
			for n := range len(data) + 1 {
				if testing.Short() && n%7 != size%7 {
					continue
				}
				k.checkTiers(t, buf, want, data[:n], size, n%guard)
			}
		}
	}
}

// TestLong compares all kernels at lengths up to 8192, at changing alignments. With -full
// it tests all these lengths; otherwise a sample, which is smaller with -short.
func TestLong(t *testing.T) {
	const longest = 8192
	defer Use(Tier())
	data, want, buf := random(longest+guard, 2), make([]byte, longest), make([]byte, longest+2*guard+64)
	step := 31 // a prime, so that all remainders of the kernels' steps occur
	switch {
	case *full:
		step = 1
	case testing.Short():
		step = 997
	}
	cases := 0
	for _, k := range all {
		for _, size := range k.sizes {
			for n := size % step; n <= longest; n += step {
				k.checkTiers(t, buf, want, data[n*7%guard:][:n], size, n%guard)
				cases++
			}
		}
	}
	t.Logf("%d cases on each of %q", cases, Tiers())
}

// TestAlignment compares the kernels at all alignments of source and destination. It
// tests the item sizes that have separate kernels; with -full, all sizes.
func TestAlignment(t *testing.T) {
	const n = 4096 + 72
	defer Use(Tier())
	data, want, buf := random(n+guard, 3), make([]byte, n), make([]byte, n+2*guard+64)
	for _, k := range all {
		for _, size := range k.sizes {
			if size > 8 && size != 16 && !*full || testing.Short() && size&(size-1) != 0 {
				continue
			}
			for a := range guard {
				k.checkTiers(t, buf, want, data[a:][:n], size, a*37%guard)
			}
		}
	}
}

// TestCompeting covers sizes at which planes or rows compete for cache sets, so that
// other kernels or tiles are used.
func TestCompeting(t *testing.T) {
	defer Use(Tier())
	for _, n := range []int{32 << 10, 128 << 10, 256<<10 + 8, 512 << 10} {
		if n > 128<<10 && testing.Short() {
			break
		}
		data, want, buf := random(n, 8), make([]byte, n), make([]byte, n+2*guard+64)
		for _, k := range all[:6] {
			for _, size := range []int{1, 4, 8, 16, 24} {
				k.checkTiers(t, buf, want, data, size, 0)
			}
		}
	}
}

// eachTier runs a test with all kernels that the processor supports.
func eachTier(t *testing.T, test func(t *testing.T)) {
	defer Use(Tier())
	for _, tier := range Tiers() {
		if err := Use(tier); err != nil {
			t.Fatal(err)
		}
		t.Run(tier, test)
	}
}

func TestIsRun(t *testing.T) {
	for n := 1; n < 300; n++ {
		b := bytes.Repeat([]byte{byte(n)}, n)
		if v, ok := IsRun(b); !ok || v != byte(n) {
			t.Fatalf("%d equal bytes: %d, %v", n, v, ok)
		}
		for i := range b {
			b[i]++
			if _, ok := IsRun(b); ok && n > 1 {
				t.Fatalf("%d bytes of which byte %d differs: a run", n, i)
			}
			b[i]--
		}
	}
	if _, ok := IsRun(nil); ok {
		t.Error("no bytes: a run")
	}
}

func TestRepeats(t *testing.T) {
	for n := 1; n <= 48; n++ {
		b := make([]byte, 300)
		Fill(b, random(n, uint64(n)))
		for size := range len(b) {
			if Repeats(b[:size], n) != (size > 0) {
				t.Fatalf("%d bytes that repeat %d: %v", size, n, size == 0)
			}
		}
		for i := range b {
			b[i]++
			if Repeats(b, n) {
				t.Fatalf("repetitions of %d bytes, of which byte %d differs", n, i)
			}
			b[i]--
		}
	}
}

func TestFill(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 8, 16, 300, 5000, 20000} {
		value := random(size, 4)
		for _, n := range []int{0, 1, size - 1, size, size + 1, 4 * size, fillPattern - 1, fillPattern, fillPattern + 1, 100_003} {
			buf := make([]byte, n+guard)
			Fill(buf[:n], value)
			for i, c := range buf[:n] {
				if c != value[i%size] {
					t.Fatalf("%d bytes of a value of %d: byte %d is %#x, want %#x", n, size, i, c, value[i%size])
				}
			}
			if _, ok := IsRun(append(buf[n:], 0)); !ok {
				t.Fatalf("%d bytes of a value of %d: written after the end", n, size)
			}
		}
	}
}

func TestClearLow(t *testing.T) { eachTier(t, testClearLow) }

func testClearLow(t *testing.T) {
	for _, size := range []int{1, 2, 4, 8} {
		for bits := range 8 * size {
			for _, n := range []int{0, 1, 7, 8, 9, 31, 33, 64, 127, 300, 1000} {
				src := random(n, 5)
				want := bytes.Clone(src)
				for i := range n / size * size {
					low := bits - i%size*8
					if low > 0 {
						want[i] &= 0xff << min(low, 8)
					}
				}
				k := kernel{name: fmt.Sprintf("ClearLow of %d bits", bits), run: func(dst, src []byte, size int) { ClearLow(dst, src, size, bits) }}
				k.check(t, make([]byte, n+2*guard), src, want, size, n%guard/2)
			}
		}
	}
}

// TestInPlace covers the kernels for which source and destination may be the same slice.
func TestInPlace(t *testing.T) { eachTier(t, testInPlace) }

func testInPlace(t *testing.T) {
	for _, n := range []int{0, 1, 5, 8, 31, 32, 33, 64, 100, 1000, 4099} {
		src := random(n, 6)
		want := make([]byte, n)
		for size := 1; size <= 16; size++ {
			refUndelta(want, src, size)
			got := bytes.Clone(src)
			if Undelta(got, got, size); !bytes.Equal(got, want) {
				t.Errorf("Undelta of %d bytes, stride %d", n, size)
			}
		}
		refUnByteDelta(want, src, 1)
		got := bytes.Clone(src)
		if UnByteDelta(got, got); !bytes.Equal(got, want) {
			t.Errorf("UnByteDelta of %d bytes", n)
		}
		ClearLow(want, src, 4, 9)
		got = bytes.Clone(src)
		if ClearLow(got, got, 4, 9); !bytes.Equal(got, want) {
			t.Errorf("ClearLow of %d bytes", n)
		}
		other := random(n, 7)
		XOR(want, src, other)
		for i := range n {
			if want[i] != src[i]^other[i] {
				t.Fatalf("XOR of %d bytes: byte %d", n, i)
			}
		}
		a, b := bytes.Clone(src), bytes.Clone(other)
		if XOR(a, a, b); !bytes.Equal(a, want) {
			t.Errorf("XOR of %d bytes into the first", n)
		}
		if XOR(b, src, b); !bytes.Equal(b, want) {
			t.Errorf("XOR of %d bytes into the second", n)
		}
	}
}
