package ndlz

import (
	"bytes"
	"errors"
	"math/rand"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// FuzzDecode tries damaged streams: each returns an error of the right kind or
// fills the output, and nothing is written after it.
func FuzzDecode(f *testing.F) {
	rng := rand.New(rand.NewSource(1))
	var e Encoder
	for _, side := range []int{4, 8} {
		src := image(rng, side, 33, 40)
		stream := make([]byte, 2*len(src))
		n, err := e.Encode(stream, src, side, 33, 40)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(stream[:n], len(src), side == 8)
	}
	f.Fuzz(func(t *testing.T, stream []byte, size int, eight bool) {
		defer b2test.Cost(t)()
		side := 4
		if eight {
			side = 8
		}
		size = min(max(size, 0), 1<<16)
		dst := bytes.Repeat([]byte{0xa5}, size+64)
		err := Decode(dst[:size:size+64], stream, side)
		if err != nil && !errors.Is(err, blosc2.ErrCorrupt) {
			t.Fatalf("error of another kind: %v", err)
		}
		if !bytes.Equal(dst[size:], bytes.Repeat([]byte{0xa5}, 64)) {
			t.Fatal("wrote after the output")
		}
	})
}
