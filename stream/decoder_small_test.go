package stream

import (
	"testing"

	"github.com/seed03b80dae/blosc2/header"
)

// A frame begins without the pool only if that cannot delay much.
func TestMayBeSmall(t *testing.T) {
	for _, c := range []struct {
		h    header.Header
		want bool
	}{
		{header.Header{FrameLen: 1000, NBytes: shareMin, ChunkSize: 1 << 20}, true},
		{header.Header{FrameLen: 1000, NBytes: shareMin + 1, ChunkSize: 1 << 20}, false},
		{header.Header{ChunkSize: DefaultChunkSize}, true},
		{header.Header{ChunkSize: DefaultChunkSize + 1}, false},
		{header.Header{VariableChunks: true}, false}, // the first chunk may have any size
	} {
		if got := mayBeSmall(&c.h); got != c.want {
			t.Errorf("%+v: %v", c.h, got)
		}
	}
}
