package chunk

import (
	"bytes"

	"github.com/seed03b80dae/blosc2"
)

// A Verifier decodes chunks that an Encoder has made and compares them with their data.
// It decodes zstd, lz4, lz4hc, zlib and snappy with other libraries, and the common
// filters with plain loops, so for these it shares neither code nor kernels with the
// Encoder. It decodes the other codecs and filters as a Decoder does. Of lz4 and lz4hc it
// also checks that liblz4, and so C-Blosc2, accepts the end of each block.
//
// The zero value is ready to use. A Verifier belongs to one goroutine at a time.
type Verifier struct {
	d    Decoder
	data []byte
}

// Verify returns an error that wraps blosc2.ErrCorrupt if the chunk c does not decode to
// data. p holds the parameters with which c was made. If a codec or filter is lossy, c
// must only decode to as many bytes.
func (v *Verifier) Verify(c, data []byte, p *Params) error {
	v.d.plain = true
	v.d.MaxBytes, v.d.TypeSize, v.d.BlockShape = MaxBytes, p.TypeSize, p.BlockShape
	var err error
	if v.data, err = v.d.Decode(v.data[:0], c); err != nil {
		return err
	}
	switch {
	case len(v.data) != len(data):
		return fault(4, blosc2.ErrCorrupt, "self-check: %d bytes of data decode to %d bytes", len(data), len(v.data))
	case p.lossy() || bytes.Equal(v.data, data):
		return nil
	}
	at := 0
	for v.data[at] == data[at] {
		at++
	}
	return fault(0, blosc2.ErrCorrupt, "self-check: the decoded data differ at byte %d of %d", at, len(data))
}

// lossy reports whether chunks may decode to other data than were encoded.
func (p *Params) lossy() bool {
	switch p.Codec {
	case blosc2.CodecZFPAcc, blosc2.CodecZFPPrec, blosc2.CodecZFPRate:
		return true
	}
	return p.Filters.Lossy()
}
