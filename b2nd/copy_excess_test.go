package b2nd_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/stream"
)

// Copy and CopyN return an error if the source has more bytes than an array of known
// shape, and none if it has as many.
func TestCopyExcess(t *testing.T) {
	const size = 10 * 4 * 4
	for _, excess := range []int{0, 1, 16, 1 << 20} {
		data := make([]byte, size+excess)
		for name, copies := range map[string]func(w *b2nd.Writer, src io.Reader) (int64, error){
			"Copy":  func(w *b2nd.Writer, src io.Reader) (int64, error) { return stream.Copy(w, src) },
			"CopyN": func(w *b2nd.Writer, src io.Reader) (int64, error) { return stream.CopyN(w, src, int64(len(data))) },
		} {
			spec, err := b2nd.SpecOf[float32](10, 4)
			if err != nil {
				t.Fatal(err)
			}
			w, err := b2nd.NewWriter(new(bytes.Buffer), spec)
			if err != nil {
				t.Fatal(err)
			}
			n, err := copies(w, bytes.NewReader(data))
			var oe *blosc2.OptionError
			if n != size || errors.As(err, &oe) != (excess > 0) || excess == 0 && err != nil {
				t.Errorf("%s with %d bytes too many: %d, %v", name, excess, n, err)
			}
			if err := w.Close(); err != nil {
				t.Errorf("%s with %d bytes too many: Close: %v", name, excess, err)
			}
		}
	}
}
