package tune

import (
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
)

// stored returns the compressed size of data in chunks of 1 MiB.
func stored(t *testing.T, data []byte, p chunk.Params) (sum int) {
	e, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	var c []byte
	for len(data) > 0 {
		n := min(1<<20, len(data))
		if c, err = e.Encode(c[:0], data[:n]); err != nil {
			t.Fatal(err)
		}
		sum += len(c)
		data = data[n:]
	}
	return sum
}
