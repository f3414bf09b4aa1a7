package chunk_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// TestLargest makes the largest possible chunk, and checks that a buffer of one byte more
// is rejected.
func TestLargest(t *testing.T) {
	if testing.Short() || math.MaxInt == math.MaxInt32 {
		t.Skip("skipped in short mode and with 32-bit addresses: needs 2 GiB")
	}
	p := chunk.Default()
	p.PlainZeros = true
	e, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	src := make([]byte, chunk.MaxBytes+1) // never accessed, so the pages take no memory
	if _, err := e.Encode(nil, src); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("one byte too much: %v", err)
	}
	c, err := e.Encode(make([]byte, 0, chunk.Bound(len(src)-1)), src[1:])
	if err != nil {
		t.Fatal(err)
	}
	var d chunk.Decoder
	if _, err := d.Decode(nil, c); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("decoding without asking for more than the default: %v", err)
	}
	d.MaxBytes = chunk.MaxBytes
	part := bytes.Repeat([]byte{1}, 100)
	if err := d.DecodeRange(part, c, chunk.MaxBytes-len(part)); err != nil || !bytes.Equal(part, make([]byte, 100)) {
		t.Errorf("the last bytes: % x, %v", part, err)
	}
	c, err = chunk.AppendRepeat(nil, chunk.MaxBytes/5*5, []byte("abcde"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.DecodeRange(part[:7], c, chunk.MaxBytes/5*5-7); err != nil || string(part[:7]) != "deabcde" {
		t.Errorf("the last bytes of a special chunk: %q, %v", part[:7], err)
	}
}

// TestValidate checks that invalid options are rejected with an error that names the
// option.
func TestValidate(t *testing.T) {
	with := func(change func(p *chunk.Params)) chunk.Params {
		p := chunk.Default()
		change(&p)
		return p
	}
	for option, p := range map[string]chunk.Params{
		"level":        with(func(p *chunk.Params) { p.Level = 12 }),
		"typesize":     with(func(p *chunk.Params) { p.TypeSize = -1 }),
		"blocksize":    with(func(p *chunk.Params) { p.BlockSize = chunk.MaxBlockSize + 1 }),
		"split mode":   with(func(p *chunk.Params) { p.Split = 5 }),
		"dictionary":   with(func(p *chunk.Params) { p.Dict = true }),
		"chunk format": with(func(p *chunk.Params) { p.Format = 9 }),
		"codec":        with(func(p *chunk.Params) { p.Format, p.Codec = chunk.Blosc1, blosc2.CodecLizard }),
		"filters":      with(func(p *chunk.Params) { p.Format, p.Filters = chunk.Blosc1, pipeline(t, "delta,shuffle") }),
	} {
		_, err := chunk.NewEncoder(p)
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) || oe.Option != option {
			t.Errorf("%s: %v", option, err)
		}
	}
	for what, p := range map[string]chunk.Params{
		"codec 77":             with(func(p *chunk.Params) { p.Codec = 77 }),
		"codec 36 (openhtj2k)": with(func(p *chunk.Params) { p.Codec = 36 }),
		"filter 77":            with(func(p *chunk.Params) { p.Filters = filters.Pipeline{IDs: [6]blosc2.FilterID{77}} }),
	} {
		_, err := chunk.NewEncoder(p)
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) || !errors.Is(err, blosc2.ErrUnsupported) || err.Error() != "blosc2: "+what+": must be registered" {
			t.Errorf("%s: %v", what, err)
		}
	}
}
