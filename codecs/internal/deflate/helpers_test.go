package deflate

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"

	kflate "github.com/klauspost/compress/flate"
	"github.com/seed03b80dae/blosc2/codecs/internal/inflate"
)

// same checks that three decoders decode the stream to the same data.
func same(stream, data []byte) error {
	var d inflate.Decoder
	back := make([]byte, len(data))
	n, read, err := d.Decode(back, stream)
	if err != nil || n != len(data) || read != len(stream) || !bytes.Equal(back, data) {
		return fmt.Errorf("ours: %d bytes of %d, %d of %d read, error %v", n, len(data), read, len(stream), err)
	}
	for name, r := range map[string]io.Reader{
		"compress/flate": flate.NewReader(bytes.NewReader(stream)),
		"klauspost":      kflate.NewReader(bytes.NewReader(stream)),
	} {
		if back, err := io.ReadAll(r); err != nil || !bytes.Equal(back, data) {
			return fmt.Errorf("%s: %d bytes of %d, error %v", name, len(back), len(data), err)
		}
	}
	return nil
}
