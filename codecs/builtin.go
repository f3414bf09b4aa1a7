package codecs

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/bulk"
)

// builtin registers a codec of this package under the name of its number.
func builtin(id blosc2.CodecID, factory func() Codec) {
	if err := add(id, id.String(), factory); err != nil {
		panic(err)
	}
}

// store copies a stream to dst and returns its length, or 0 if it does not fit.
func store(dst, stream []byte) int {
	if len(stream) > len(dst) {
		return 0
	}
	return bulk.Copy(dst, stream)
}

// corrupt returns the error for an invalid stream of codec id.
func corrupt(id blosc2.CodecID, format string, args ...any) error {
	return blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, id.String()+": "+format, args...)
}

// decoded returns the results of Decode for codec id, whose decoder returned n and err
// for a stream that must decode to want bytes.
func decoded(id blosc2.CodecID, n, want int, err error) (int, error) {
	switch {
	case err != nil:
		return 0, blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "%s: %v", id, err).WithCause(err)
	case n != want:
		return min(n, want), wrongLength(id, n, want)
	}
	return n, nil
}

// wrongLength returns the error for a stream that decodes to n bytes instead of
// want.
func wrongLength(id blosc2.CodecID, n, want int) error {
	return corrupt(id, "stream decodes to %d bytes, not %d", n, want)
}
