package chunk_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// Errors for codecs and filters that are not registered name them by number, and by
// name if there is one.
func TestUnsupported(t *testing.T) {
	c := encode(t, chunk.Params{Codec: blosc2.CodecZstd, Level: 5, TypeSize: 1, BlockSize: 1000}, payload(5000, 1, 1))
	var d chunk.Decoder
	for _, x := range []struct {
		at    int
		value byte
		want  string
	}{
		{22, 36, "codec 36 (openhtj2k): unsupported"}, {22, 38, "codec 38 (openzl): unsupported"}, {22, 222, ": codec 222: unsupported"},
		{21, 37, "offset 21: filter 37: unsupported"}, {16, 160, "offset 16: filter 160: unsupported"},
	} {
		changed := append([]byte(nil), c...)
		if x.at == 22 {
			changed[2] = changed[2]&0x1f | 6<<5 // format 6: byte 22 is the codec
		}
		changed[x.at] = x.value
		_, err := d.Decode(nil, changed)
		var fe *blosc2.FormatError
		if !errors.Is(err, blosc2.ErrUnsupported) || !errors.As(err, &fe) || !strings.Contains(err.Error(), x.want) {
			t.Errorf("byte %d is %d: %v; want %s", x.at, x.value, err, x.want)
		}
	}
}
