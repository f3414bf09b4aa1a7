package chunk_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// Chunks of every codec, filter and format decode to their data. If any byte differs,
// Verify returns an error.
func TestVerify(t *testing.T) {
	var v chunk.Verifier
	for _, spec := range []string{"none", "shuffle", "shuffle:3", "bitshuffle", "delta", "bytedelta", "shuffle,bytedelta", "delta,shuffle", "bitshuffle,delta,shuffle:7"} {
		pipeline, err := filters.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 3, 4, 8, 17, 300} {
			for _, id := range []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecSnappy, blosc2.CodecZlib, blosc2.CodecZstd, blosc2.CodecLizard} {
				for _, n := range []int{0, 1, 5, 777, 70000} {
					p := chunk.Params{Codec: id, Level: 5, TypeSize: size, Filters: pipeline, Dict: id == blosc2.CodecZstd && size == 4, BlockSize: 20000}
					verify(t, &v, p, tierData(8, n+7)[:n-n%size], spec)
				}
			}
		}
	}
}

func TestVerifyFormats(t *testing.T) {
	var v chunk.Verifier
	for _, format := range []chunk.Format{chunk.Blosc1, chunk.Beta} {
		for _, spec := range []string{"none", "shuffle", "bitshuffle"} {
			pipeline, err := filters.Parse(spec)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{50, 999, 70000} {
				verify(t, &v, chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: 2, Filters: pipeline, Format: format}, tierData(2, n), spec)
			}
		}
	}
}

func verify(t *testing.T, v *chunk.Verifier, p chunk.Params, data []byte, spec string) {
	t.Helper()
	e, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Encode(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Verify(c, data, &p); err != nil {
		t.Fatalf("%v, %s, typesize %d, format %d, %d bytes: %v", p.Codec, spec, p.TypeSize, p.Format, len(data), err)
	}
	if len(data) == 0 {
		return
	}
	other := bytes.Clone(data)
	other[len(other)/2] ^= 1
	if err := v.Verify(c, other, &p); !isMismatch(err) {
		t.Fatalf("%v, %s, %d bytes, one of them other: %v", p.Codec, spec, len(data), err)
	}
	if err := v.Verify(c, data[1:], &p); !isMismatch(err) {
		t.Fatalf("%v, %s, %d bytes, one fewer: %v", p.Codec, spec, len(data), err)
	}
}

// isMismatch reports whether a chunk was decoded, and to other data than expected.
func isMismatch(err error) bool {
	return errors.Is(err, blosc2.ErrCorrupt) && strings.Contains(err.Error(), "self-check:")
}

// A lossy chunk decodes to the same bytes as with a Decoder.
func TestVerifyLossy(t *testing.T) {
	pipeline, err := filters.Parse("trunc_prec:10,shuffle")
	if err != nil {
		t.Fatal(err)
	}
	p := chunk.Params{Codec: blosc2.CodecZstd, Level: 5, TypeSize: 8, Filters: pipeline}
	e, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	data := tierData(8, 70000)
	c, err := e.Encode(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	var v chunk.Verifier
	if err := v.Verify(c, data, &p); err != nil {
		t.Error(err)
	}
	if err := v.Verify(c[:len(c)-1], data, &p); err == nil {
		t.Error("a chunk that is cut off was taken")
	}
}

// FuzzVerify verifies arbitrary bytes that a Decoder decodes. The other libraries may reject
// streams that ours accept (docs/decoders.md), but must not decode them to other data.
func FuzzVerify(f *testing.F) {
	for _, id := range []blosc2.CodecID{blosc2.CodecLZ4, blosc2.CodecZlib, blosc2.CodecZstd, blosc2.CodecSnappy} {
		e, err := chunk.NewEncoder(chunk.Params{Codec: id, Level: 5, TypeSize: 4, Filters: filters.Default()})
		if err != nil {
			f.Fatal(err)
		}
		c, err := e.Encode(nil, tierData(4, 3000))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, c []byte) {
		defer b2test.Cost(t)()
		d := chunk.Decoder{MaxBytes: 1 << 20}
		data, err := d.Decode(nil, c)
		if err != nil {
			return
		}
		var v chunk.Verifier
		err = v.Verify(c, data, &chunk.Params{})
		switch {
		case err == nil:
		case !errors.Is(err, blosc2.ErrCorrupt) && !errors.Is(err, blosc2.ErrUnsupported):
			t.Fatal(err)
		case isMismatch(err):
			t.Fatal(err)
		}
	})
}
