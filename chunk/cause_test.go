package chunk_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/filters"
)

// A refuser is a codec and a filter with a decoder that returns its own error.
type refuser struct{}

const (
	refuserCodec  = 231
	refuserFilter = 232
)

// refusal is the error that the decoders of refuser return.
var refusal error

func (refuser) ID() blosc2.CodecID { return refuserCodec }
func (refuser) Name() string       { return "refuser" }

func (refuser) Encode(dst, _ []byte, _ codecs.Params) (int, error) {
	return copy(dst, "no bytes of src"), nil
}
func (refuser) Decode(dst, _ []byte, _ codecs.Params) (int, error) {
	if refusal == nil {
		return len(dst) - 1, nil
	}
	return 0, refusal
}

type refusingFilter struct{}

func (refusingFilter) ID() blosc2.FilterID                             { return refuserFilter }
func (refusingFilter) Name() string                                    { return "refusing" }
func (refusingFilter) Lossy() bool                                     { return false }
func (refusingFilter) Check(filters.Params) error                      { return nil }
func (refusingFilter) Forward(dst, src []byte, _ filters.Params) error { copy(dst, src); return nil }
func (refusingFilter) Backward(_, _ []byte, _ filters.Params) error    { return refusal }

// errOwn is a codec's own type of error.
type errOwn struct{ code int }

func (e errOwn) Error() string { return fmt.Sprint("own error ", e.code) }

// The error of a registered decoder is about corrupt data unless it wraps another
// sentinel. It remains in the chain, except for errors that would look like the end
// of the stream.
func TestCause(t *testing.T) {
	if err := codecs.Register(refuserCodec, "refuser", func() codecs.Codec { return refuser{} }); err != nil {
		t.Fatal(err)
	}
	if err := filters.Register(refusingFilter{}); err != nil {
		t.Fatal(err)
	}
	src := make([]byte, 4000)
	for i := range src {
		src[i] = byte(i * i >> 3)
	}
	byCodec := chunk.Default()
	byCodec.Codec, byCodec.TypeSize, byCodec.Filters = refuserCodec, 1, filters.Pipeline{}
	byFilter := chunk.Default()
	byFilter.Filters = filters.Pipeline{IDs: [6]blosc2.FilterID{5: refuserFilter}}
	for name, p := range map[string]chunk.Params{"codec": byCodec, "filter": byFilter} {
		enc, err := chunk.NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		c, err := enc.Encode(nil, src)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []struct {
			err, kind error
			hidden    bool
		}{
			{errOwn{7}, blosc2.ErrCorrupt, false},
			{fmt.Errorf("wrapped: %w", errOwn{8}), blosc2.ErrCorrupt, false},
			{fmt.Errorf("%w: %w", blosc2.ErrCorrupt, errOwn{9}), blosc2.ErrCorrupt, false},
			{fmt.Errorf("%w: %w", blosc2.ErrUnsupported, errOwn{9}), blosc2.ErrUnsupported, false},
			{&blosc2.OptionError{Option: "meta", Value: 3, Range: "0"}, blosc2.ErrUnsupported, false},
			{blosc2.ErrTooLarge, blosc2.ErrTooLarge, false},
			{blosc2.Errorf(blosc2.PartBlock, blosc2.ErrChecksum, "crc"), blosc2.ErrChecksum, true}, // merged into the new error
			{io.EOF, blosc2.ErrCorrupt, true},
			{fmt.Errorf("short: %w", io.ErrUnexpectedEOF), blosc2.ErrCorrupt, true},
		} {
			refusal = r.err
			var d chunk.Decoder
			_, err := d.Decode(nil, c)
			var fe *blosc2.FormatError
			if !errors.Is(err, r.kind) || errors.Is(err, r.err) == r.hidden || !errors.As(err, &fe) || fe.Block != 0 {
				t.Errorf("%s, %v: %v", name, r.err, err)
			}
			var own errOwn
			if errors.As(r.err, &own) != errors.As(err, &own) {
				t.Errorf("%s, %v: %v cannot be unwrapped", name, r.err, err)
			}
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s, %v: %v looks like the end of the stream", name, r.err, err)
			}
		}
		refusal = nil
		var d chunk.Decoder
		if _, err := d.Decode(nil, c); name == "codec" && !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("a codec that decodes too little: %v", err)
		}
	}
}

// The error of another library's decoder can be unwrapped too.
func TestCauseOfLibrary(t *testing.T) {
	c, err := codecs.New(blosc2.CodecZstd)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Decode(make([]byte, 100), []byte("this is no zstd frame at all"), codecs.Params{})
	if !errors.Is(err, blosc2.ErrCorrupt) || !errors.Is(err, zstd.ErrMagicMismatch) {
		t.Errorf("%v", err)
	}
}
