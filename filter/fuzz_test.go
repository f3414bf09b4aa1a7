package filter_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filter"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// FuzzDecode decodes arbitrary chunks with arbitrary values. Decoding does not panic,
// takes little time and memory, keeps the contents of dst, and does not return more bytes
// than the values allow.
func FuzzDecode(f *testing.F) {
	if b2test.HasCorpus(f) {
		dir, chunks := hdf5Chunks(f)
		for _, e := range chunks {
			f.Add(readFile(f, dir, e.Path), e.FilterValues[2], e.FilterValues[3])
		}
		stores, err := filepath.Glob(filepath.Join(neighbours(f, "zarr"), "v2_*", "0.0"))
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range stores {
			f.Add(readFile(f, path), uint32(4), uint32(8000))
		}
	}
	f.Add([]byte("\x9e\xa8b2frame\x00"), uint32(4), uint32(8000))
	f.Fuzz(func(t *testing.T, b []byte, item, size uint32) {
		size %= 1 << 20
		limit := 1<<20 + 1<<18
		values := []uint32{1, 0, item, size + 1}
		end := b2test.Cost(t)
		for _, decode := range []func(dst, src []byte) ([]byte, error){
			func(dst, src []byte) ([]byte, error) { return filter.DecodeBlosc(dst, src, values) },
			func(dst, src []byte) ([]byte, error) { return filter.DecodeBlosc2(dst, src, values) },
			func(dst, src []byte) ([]byte, error) { return filter.DecodeZarr(dst, src, 1<<20) },
		} {
			out, err := decode([]byte("x"), b)
			if len(out) == 0 || out[0] != 'x' || err != nil && len(out) > 1 || len(out) > limit {
				t.Errorf("%d bytes and %v", len(out), err)
			}
		}
		end()
	})
}

// FuzzEncode encodes data with arbitrary values. What is encoded decodes to the same
// data, unless a filter or codec loses digits.
func FuzzEncode(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef"), uint32(4), uint32(5), uint32(1), uint32(5), uint32(2), uint32(2), uint32(4))
	f.Add([]byte("0123456789abcdef"), uint32(1), uint32(0), uint32(2), uint32(1), uint32(1), uint32(4), uint32(4))
	f.Add([]byte("00000000000000000000000000000001"), uint32(4), uint32(5), uint32(1), uint32(blosc2.CodecZFPRate), uint32(2), uint32(2), uint32(4))
	f.Fuzz(func(t *testing.T, src []byte, item, level, shuffle, codec, rank, d0, d1 uint32) {
		end := b2test.Cost(t)
		loses := shuffle > 3 || codec >= uint32(blosc2.CodecZFPAcc) && codec <= uint32(blosc2.CodecZFPRate)
		values := []uint32{1, 0, item, uint32(len(src)), level, shuffle, codec}
		check := func(encode, decode func(dst, src []byte, values []uint32) ([]byte, error), values []uint32) {
			stored, err := encode(nil, src, values)
			if err != nil {
				return
			}
			if out, err := decode(nil, stored, values); shuffle <= 3 && err != nil || !loses && !bytes.Equal(out, src) {
				t.Errorf("%d: %d bytes do not come back: %v", values, len(src), err)
			}
		}
		check(filter.EncodeBlosc, filter.DecodeBlosc, values)
		check(filter.EncodeBlosc2, filter.DecodeBlosc2, values)
		check(filter.EncodeBlosc2, filter.DecodeBlosc2, append(values, rank, d0, d1))
		end()
	})
}
