package lizard

import (
	"bytes"
	"errors"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// FuzzDecode tries damaged blocks: each returns an error of the right kind or decodes to
// no more than requested, and nothing is written after the output.
func FuzzDecode(f *testing.F) {
	var e Encoder
	src := genuineInput()[:9000]
	for _, level := range []int{10, 15, 20, 25, 30, 41} {
		block := make([]byte, len(src))
		f.Add(block[:e.Encode(block, src, level)], len(src))
	}
	f.Fuzz(func(t *testing.T, block []byte, size int) {
		defer b2test.Cost(t)()
		size = min(max(size, 0), 1<<20)
		dst := bytes.Repeat([]byte{0xa5}, size+64)
		var d Decoder
		n, err := d.Decode(dst[:size:size+64], block)
		if err != nil && !errors.Is(err, blosc2.ErrCorrupt) {
			t.Fatalf("error of another kind: %v", err)
		}
		if n < 0 || n > size {
			t.Fatalf("%d bytes into %d", n, size)
		}
		if !bytes.Equal(dst[size:], bytes.Repeat([]byte{0xa5}, 64)) {
			t.Fatal("wrote after the output")
		}
	})
}

// FuzzRoundTrip checks that any input survives at any level, within the
// restrictions of the genuine decoder.
func FuzzRoundTrip(f *testing.F) {
	f.Add(genuineInput()[:3000], byte(41))
	f.Add([]byte("abcdefghabcdefghabcdefghabcdefghabcdefgh"), byte(10))
	f.Fuzz(func(t *testing.T, src []byte, l byte) {
		defer b2test.Cost(t)()
		level := MinLevel + int(l)%(MaxLevel-MinLevel+1)
		var e Encoder
		var d Decoder
		block := make([]byte, bound(len(src)))
		n := e.Encode(block, src, level)
		got := make([]byte, len(src))
		if k, err := d.Decode(got, block[:n]); err != nil || k != len(src) || !bytes.Equal(got, src) {
			t.Fatalf("level %d: %d of %d bytes, %v", level, k, len(src), err)
		}
		for _, sub := range walk(t, block[:n]) {
			for _, r := range restrictions {
				if _, err := r.check(level, len(src), sub); err != nil {
					t.Fatalf("level %d: broken: %s: %v", level, r.name, err)
				}
			}
		}
	})
}
