package bulk

import (
	"bytes"
	"fmt"
	"testing"
)

func TestCopy(t *testing.T) {
	src := make([]byte, 3*repMin)
	for i := range src {
		src[i] = byte(i*7 + i>>8)
	}
	for _, n := range []int{0, 1, 15, repMin - 1, repMin, repMin + 1, 2*repMin + 3} {
		for at := range 17 * 9 {
			at, from := at/9, at%9 // all alignments of both
			got := bytes.Repeat([]byte{0xEE}, 3*repMin)
			want := bytes.Clone(got)
			copied := Copy(got[at:at+n], src[from:])
			copy(want[at:at+n], src[from:])
			if copied != n || !bytes.Equal(got, want) {
				t.Fatalf("Copy of %d bytes from offset %d to %d copies %d; equal: %v", n, from, at, copied, bytes.Equal(got, want))
			}
		}
	}
	if n := Copy(make([]byte, 5000), src[:3000]); n != 3000 {
		t.Errorf("a short source: copied %d bytes, not 3000", n)
	}
}

// BenchmarkCopy compares Copy with the built-in copy, to an aligned destination.
func BenchmarkCopy(b *testing.B) {
	dst, src := make([]byte, 1<<18), make([]byte, 1<<18+64)
	for _, n := range []int{2 << 10, 16 << 10, 128 << 10} {
		for _, c := range []struct {
			name string
			copy func(dst, src []byte) int
		}{{"Copy", Copy}, {"copy", func(dst, src []byte) int { return copy(dst, src) }}} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					c.copy(dst[:n], src[3:3+n])
				}
			})
		}
	}
}
