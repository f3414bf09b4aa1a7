package frame_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A frame truncated anywhere yields the whole chunks before that offset and
// io.ErrUnexpectedEOF.
func TestTruncated(t *testing.T) {
	sealed, unsealed, data, ends := small(t)
	held := []int{200, 300, 400, 500} // decoded bytes up to each of ends
	for what, b := range map[string][]byte{"sealed": sealed, "unsealed": unsealed} {
		for n := range len(b) {
			want := 0
			for i, end := range ends {
				if n >= end {
					want = held[i]
				}
			}
			got, _, err := walk(bytes.NewReader(b[:n]))
			if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(got, data[:want]) {
				t.Errorf("%s, %d bytes: walked %d bytes, want %d: %v", what, n, len(got), want, err)
			}
			if _, err := frame.Open(bytes.NewReader(b[:n]), int64(n)); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s, %d bytes: opened: %v", what, n, err)
			}
		}
	}
	for n := range len(unsealed) {
		f, err := frame.Open(bytes.NewReader(unsealed[:n]), int64(n), frame.AllowTorn())
		if err != nil {
			if n >= ends[0] || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("torn after %d bytes: %v", n, err)
			}
			continue
		}
		p := make([]byte, len(data)+1)
		k, err := f.ReadAt(p, 0)
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(p[:k], data[:f.Size()]) {
			t.Errorf("torn after %d bytes: read %d, %v", n, k, err)
		}
	}
}

// noticed reports whether reading the damaged frame b returns an error, front to back or
// by index. Data that are read before the error must be right.
func noticed(t *testing.T, what string, b, want []byte, opts ...frame.Option) bool {
	t.Helper()
	got, _, err := walk(bytes.NewReader(b))
	if !bytes.HasPrefix(want, got) {
		t.Errorf("%s: walked wrong bytes", what)
	}
	if err == nil {
		t.Errorf("%s: walked %d bytes without an error", what, len(got))
	}
	got, f, ierr := readAll(b, opts...)
	if !bytes.HasPrefix(want, got) {
		t.Errorf("%s: wrong bytes by index", what)
	}
	if ierr == nil {
		if _, e := f.VLMetalayers(); e == nil {
			return false
		}
	}
	return err != nil
}

// A flipped bit anywhere in a checked frame is detected when the frame is read front to
// back. It is also detected when the frame is read by index, unless it is in a chunk that
// is no longer in the index.
func TestFlipped(t *testing.T) {
	sealed, unsealed, data, ends := small(t)
	for what, b := range map[string][]byte{"sealed": sealed, "unsealed": unsealed} {
		missed := 0
		for bit := range 8 * len(b) {
			b[bit/8] ^= 1 << (bit % 8)
			if !noticed(t, what, b, data) {
				missed++
				if at := bit / 8; at < ends[0] || at >= ends[1]+framing.RecordLen {
					t.Errorf("%s: reading by index does not notice byte %d", what, at)
				}
			}
			b[bit/8] ^= 1 << (bit % 8)
		}
		t.Logf("%s: %d bits, %d of them in a superseded chunk that no index names", what, 8*len(b), missed)
	}
}

// Reads of single blocks are checked only with CheckWhole. Then no flipped bit causes a
// wrong byte. Without CheckWhole the test logs the fraction that is not
// noticed.
func TestFlippedRanges(t *testing.T) {
	p := chunk.Default()
	p.TypeSize, p.BlockSize, p.PlainZeros = 4, 512, true
	m := newMakerOf(t, p, 2048, building{Checks: true})
	data := ramp(5000)
	for _, c := range cut(data, 2048) {
		m.chunk(c)
	}
	m.tail()
	b := m.sealed()
	read := func(opts ...frame.Option) (wrong, failed bool) {
		f, err := frame.Open(bytes.NewReader(b), int64(len(b)), opts...)
		if err != nil {
			return false, true
		}
		piece := make([]byte, 100)
		for off := 0; off < len(data)-len(piece); off += 300 {
			if n, err := f.ReadAt(piece, int64(off)); err != nil {
				failed = true
			} else if !bytes.Equal(piece, data[off:off+n]) {
				wrong = true
			}
		}
		return wrong, failed
	}
	silent, unnoticed := 0, 0
	for bit := range 8 * len(b) {
		b[bit/8] ^= 1 << (bit % 8)
		wrong, failed := read()
		if wrong && !failed {
			silent++
		}
		if wrong, failed = read(frame.CheckWhole()); wrong || !failed {
			unnoticed++
		}
		b[bit/8] ^= 1 << (bit % 8)
	}
	t.Logf("%d flips: wrong bytes without an error in %.1f %% of them by block, %d unnoticed with whole chunks checked", 8*len(b), 100*float64(silent)/float64(8*len(b)), unnoticed)
	if unnoticed > 0 {
		t.Error("CheckWhole misses some")
	}
}
