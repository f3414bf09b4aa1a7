package frame_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// seal returns a copy of b, sealed in a file.
func seal(t *testing.T, b []byte) ([]byte, error) {
	t.Helper()
	path := write(t, b)
	err := frame.SealFile(path)
	out, rerr := os.ReadFile(path)
	if rerr != nil {
		t.Fatal(rerr)
	}
	return out, err
}

// If an unsealed frame is sealed later, it has the same bytes as one that its writer
// sealed.
func TestSeal(t *testing.T) {
	for _, checks := range []bool{false, true} {
		m := newMaker(t, 1000, building{Checks: checks})
		m.b.SetVLMeta("note", []byte("hello"))
		data := ramp(2700)
		m.chunk(data[:1000])
		m.chunk(data[1000:1100])
		m.grow(data[1000:2000])
		m.chunk(data[2000:])
		m.tail()
		got, err := seal(t, m.unsealed())
		if err != nil || !bytes.Equal(got, m.sealed()) {
			t.Errorf("checks %v: sealed otherwise than by the writer: %v", checks, err)
		}
		if again, err := seal(t, got); err != nil || !bytes.Equal(again, got) {
			t.Errorf("checks %v: sealed again otherwise: %v", checks, err)
		}
		for _, lib := range b2test.Oracles(t) {
			if c, err := lib.Decode(t, "read-frame", write(t, got)); err != nil || !bytes.Equal(c, data) {
				t.Errorf("%v: %v", lib, err)
			}
		}
	}
}

// Sealing an empty file is an error.
func TestSealNothing(t *testing.T) {
	if got, err := seal(t, nil); !errors.Is(err, io.ErrUnexpectedEOF) || len(got) != 0 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// A frame that has a full tail but no data is converted to header and trailer.
func TestSealEmpty(t *testing.T) {
	m := newMaker(t, 1000, building{Checks: true})
	m.b.SetVLMeta("note", []byte("hello"))
	m.tail()
	got, err := seal(t, m.unsealed())
	want := newMaker(t, 1000, building{Checks: true})
	want.b.SetVLMeta("note", []byte("hello"))
	if b := want.must(want.b.AppendEmpty(nil)); err != nil || !bytes.Equal(got, b) {
		t.Errorf("%d bytes, want %d: %v", len(got), len(b), err)
	}
	for _, lib := range b2test.Oracles(t) {
		if c, err := lib.Decode(t, "read-frame", write(t, got)); err != nil || len(c) != 0 {
			t.Errorf("%v: %d bytes, %v", lib, len(c), err)
		}
	}
}

// A frame with chunks of different sizes has a variable chunk size after sealing,
// which C-Blosc2 reads since 3.0.
func TestSealVariable(t *testing.T) {
	m := newMaker(t, 1000, building{Checks: true})
	unknown := m.head
	data := ramp(2500)
	m.chunk(data[:400])
	m.chunk(data[400:1400])
	m.chunk(data[1400:1500])
	m.chunk(data[1500:])
	m.tail()
	b := append(bytes.Clone(unknown), m.wire[len(unknown):]...)
	mustHold(t, "unsealed", b, data)
	got, err := seal(t, b)
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, "sealed", got, data)
	_, f, err := readAll(got)
	if err != nil || !f.Header().VariableChunks || f.Header().ChunkSize != 0 {
		t.Errorf("header %+v, %v", f.Header(), err)
	}
	file, out := write(t, got), write(t, nil)
	for n, want := range [][]byte{data[:400], data[400:1400], data[1400:1500], data[1500:]} {
		b2test.Oracle(t, 3).Run(t, "read-range", "--chunk", string(rune('0'+n)), "--start", "0", "--stop", itoa(len(want)/4), file, out)
		if c, err := os.ReadFile(out); err != nil || !bytes.Equal(c, want) {
			t.Errorf("chunk %d: %d bytes, want %d: %v", n, len(c), len(want), err)
		}
	}
}

// All frames in a file are sealed, except a torn one, which is not changed.
func TestSealMany(t *testing.T) {
	var all, want []byte
	for _, n := range []int{100, 2500, 1000} {
		m := newMaker(t, 1000, building{Checks: true})
		for _, c := range cut(ramp(n), 1000) {
			m.chunk(c)
		}
		m.tail()
		all, want = append(all, m.unsealed()...), append(want, m.sealed()...)
	}
	if got, err := seal(t, bytes.Clone(all)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("three frames: %v", err)
	}
	if got, err := seal(t, append(bytes.Clone(all), "junk"...)); !errors.Is(err, blosc2.ErrTrailing) || !bytes.Equal(got, append(want, "junk"...)) {
		t.Errorf("three frames and junk: %v", err)
	}
	torn := all[:150]
	if got, err := seal(t, torn); !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(got, torn) {
		t.Errorf("torn: %v", err)
	}
}
