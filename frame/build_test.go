package frame_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// The frames of a Builder are read in every way: sealed and unsealed, with and without
// checks, with any number of segments.
func TestBuilt(t *testing.T) {
	const size = 4000
	for _, checks := range []bool{false, true} {
		for _, n := range []int{1, 3, 4, size, size + 1, 3*size - 4, 5 * size} {
			data := ramp(n)
			m := newMaker(t, size, building{Checks: checks}, meta.Layer{Name: "mine", Value: []byte("x")})
			if err := m.b.SetVLMeta("note", []byte("hello")); err != nil {
				t.Fatal(err)
			}
			for _, c := range cut(data, size) {
				m.chunk(c)
			}
			m.tail()
			for what, b := range map[string][]byte{"sealed": m.sealed(), "unsealed": m.unsealed()} {
				what := fmt.Sprintf("%s, %d bytes, checks %v", what, n, checks)
				mustHold(t, what, b, data)
				_, f, err := readAll(b)
				if err != nil {
					continue
				}
				if v, ok, err := f.VLMeta("note"); !ok || err != nil || string(v) != "hello" {
					t.Errorf("%s: vlmetalayer %q %v %v", what, v, ok, err)
				}
				if v, ok := f.Metalayer("mine"); !ok || string(v) != "x" {
					t.Errorf("%s: metalayer %q %v", what, v, ok)
				}
				if f.FrameLen() != int64(len(b)) || f.Checked() != checks {
					t.Errorf("%s: length %d of %d, checked %v", what, f.FrameLen(), len(b), f.Checked())
				}
			}
		}
	}
}

// A frame with more segments and continued chunks is read like any other frame.
func TestSegments(t *testing.T) {
	m, data := segments(t, true)
	mustHold(t, "sealed", m.sealed(), data)
	m, data = segments(t, false)
	mustHold(t, "sealed without checks", m.sealed(), data)

	// Reading an unsealed frame stops at its first trailer.
	m = newMaker(t, 1000, building{Checks: true})
	m.chunk(data[:1000])
	m.chunk(data[1000:1100])
	m.grow(data[1000:1700])
	m.tail()
	mustHold(t, "unsealed, continued", m.unsealed(), data[:1700])
}

// A frame without data consists of header and trailer. If the header was already written,
// it has a full tail instead.
func TestEmpty(t *testing.T) {
	m := newMaker(t, 1000, building{Checks: true})
	m.tail()
	mustHold(t, "unsealed", m.unsealed(), nil)
	m = newMaker(t, 1000, building{Checks: true})
	if err := m.b.SetVLMeta("note", []byte("hello")); err != nil {
		t.Fatal(err)
	}
	b := m.must(m.b.AppendEmpty(nil))
	mustHold(t, "header and trailer", b, nil)
	mustHold(t, "the same with bytes after it", append(b, "junk"...), nil)
	mustHold(t, "two", append(bytes.Clone(b), b...), nil)
	for _, lib := range b2test.Oracles(t) {
		file := write(t, b)
		if got, err := lib.Decode(t, "read-frame", file); err != nil || len(got) != 0 {
			t.Errorf("%v: %d bytes, %v", lib, len(got), err)
		}
	}
}

// Sixteen metalayers leave no space for the mark: the frame has no digests, and can
// be read only by its index, after it is sealed.
func TestSixteenMetalayers(t *testing.T) {
	var layers []meta.Layer
	for i := range 16 {
		layers = append(layers, meta.Layer{Name: fmt.Sprint("layer", i), Value: []byte{byte(i)}})
	}
	m := newMaker(t, 1000, building{Checks: true}, layers...)
	if m.b.Marked() || m.b.Checks() {
		t.Error("marked or checked")
	}
	data := ramp(2500)
	for _, c := range cut(data, 1000) {
		m.chunk(c)
	}
	m.tail()
	if got, f, err := readAll(m.sealed()); err != nil || !bytes.Equal(got, data) || len(f.Metalayers()) != 16 {
		t.Errorf("%d bytes: %v", len(got), err)
	}
	if _, _, err := walk(bytes.NewReader(m.sealed())); !errors.Is(err, blosc2.ErrNotSequential) {
		t.Errorf("walked: %v", err)
	}
	if _, _, err := readAll(m.unsealed()); !errors.Is(err, blosc2.ErrCorrupt) {
		t.Errorf("unsealed: %v", err)
	}
	for _, lib := range b2test.Oracles(t) {
		if got, err := lib.Decode(t, "read-frame", write(t, m.sealed())); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%v: %d bytes: %v", lib, len(got), err)
		}
	}
}

// Special chunks that are only entries of the index are read as the libraries read
// them.
func TestSpecialChunks(t *testing.T) {
	m := newMaker(t, 1000, building{Checks: true, Unordered: true})
	var want []byte
	for i, s := range []chunk.Special{chunk.Zeros, chunk.NotSpecial, chunk.NaN, chunk.Zeros} {
		n := 1000
		if i == 3 {
			n = 400
		}
		switch s {
		case chunk.NotSpecial:
			m.chunk(ramp(n))
			want = append(want, ramp(n)...)
			continue
		case chunk.NaN:
			want = append(want, bytes.Repeat([]byte{0, 0, 0xc0, 0x7f}, n/4)...)
		default:
			want = append(want, make([]byte, n)...)
		}
		if err := m.b.AddSpecial(s, n); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.b.AddSpecial(chunk.Zeros, 1000); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("after a short chunk: %v", err)
	}
	m.tail()
	got, f, err := readAll(m.sealed())
	if err != nil || !bytes.Equal(got, want) || f.Order() != frame.ByIndex || !f.Checked() {
		t.Errorf("%d bytes: %v", len(got), err)
	}
	part := make([]byte, 1500)
	if _, err := f.ReadAt(part, 900); err != nil || !bytes.Equal(part, want[900:2400]) {
		t.Errorf("a range: %v", err)
	}
	for _, lib := range b2test.Oracles(t) {
		if got, err := lib.Decode(t, "read-frame", write(t, m.sealed())); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: %d bytes: %v", lib, len(got), err)
		}
	}
	ordered := newMaker(t, 1000, building{})
	if err := ordered.b.AddSpecial(chunk.Zeros, 1000); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("in an ordered frame: %v", err)
	}
}

// Consecutive frames are read as one stream, unless SingleFrame is given. Other bytes
// after them are reported.
func TestConcatenated(t *testing.T) {
	m, data := segments(t, true)
	one, two := m.sealed(), newMaker(t, 1000, building{})
	two.chunk(data[:600])
	two.tail()
	all := append(append(bytes.Clone(one), two.unsealed()...), one...)
	want := append(append(bytes.Clone(data), data[:600]...), data...)
	for _, tail := range []string{"", "\x9e", "\x9e\xa8b2frame", "?", "trailing bytes of any kind"} {
		for what, r := range map[string]io.Reader{"whole": bytes.NewReader(append(all, tail...)), "byte by byte": iotest.OneByteReader(bytes.NewReader(append(all, tail...)))} {
			got, w, err := walk(r)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, %q after: %d bytes, want %d: %v", what, tail, len(got), len(want), err)
			}
			if (len(w.Trailing()) > 0) != (tail != "") || !bytes.HasPrefix([]byte(tail), w.Trailing()) {
				t.Errorf("%s, %q after: trailing %q", what, tail, w.Trailing())
			}
		}
	}
	got, w, err := walk(bytes.NewReader(all), frame.SingleFrame())
	if err != nil || !bytes.Equal(got, data) || w.Pos() != int64(len(one)) {
		t.Errorf("single: %d bytes, %d taken: %v", len(got), w.Pos(), err)
	}
}

// If a frame cannot be walked, the caller reads it, and the walk continues after it.
func TestWalkerResume(t *testing.T) {
	data := ramp(1500)
	first, foreign := newMaker(t, 1000, building{}), newMaker(t, 1000, building{NoMark: true})
	for _, m := range []*maker{first, foreign} {
		for _, c := range cut(data, 1000) {
			m.chunk(c)
		}
		m.tail()
	}
	all := append(append(first.sealed(), foreign.sealed()...), first.unsealed()...)
	src := bytes.NewReader(all)
	w := frame.NewWalker(src)
	if h, err := w.Header(); err != nil || h.TypeSize != 4 || w.Order() != frame.Sealed {
		t.Fatal(err)
	}
	items, skipped := 0, 0
	for {
		_, err := w.Next(nil)
		if err == io.EOF {
			break
		}
		if errors.Is(err, blosc2.ErrNotSequential) {
			h, _ := w.Header()
			rest := make([]byte, int(h.FrameLen)-len(w.RawHeader()))
			if _, err := io.ReadFull(src, rest); err != nil {
				t.Fatal(err)
			}
			if got, _, err := readAll(append(w.RawHeader(), rest...)); err != nil || !bytes.Equal(got, data) {
				t.Errorf("the frame that cannot be walked: %v", err)
			}
			w.Resume()
			skipped++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		items++
	}
	if items != 4 || skipped != 1 || w.Pos() != int64(len(all)) {
		t.Errorf("%d chunks, %d frames left out, %d of %d bytes", items, skipped, w.Pos(), len(all))
	}
}

// Both genuine libraries read the frames of a Builder as a whole and in ranges, and read
// their metadata.
func TestOraclesRead(t *testing.T) {
	const size = 4000
	cases := map[string][]byte{}
	want := map[string][]byte{}
	for _, checks := range []bool{false, true} {
		for _, n := range []int{1, 31, 32, 33, size - 1, size, size + 1, 4*size + 7} {
			m := newMaker(t, size, building{Checks: checks}, meta.Layer{Name: "mine", Value: []byte("x")})
			m.b.SetVLMeta("note", []byte("hello"))
			data := ramp(n)
			for _, c := range cut(data, size) {
				m.chunk(c)
			}
			m.tail()
			name := fmt.Sprintf("%d-%v", n, checks)
			cases[name], want[name] = m.sealed(), data
		}
		m, data := segments(t, checks)
		name := fmt.Sprintf("segments-%v", checks)
		cases[name], want[name] = m.sealed(), data
	}
	zeros := newMaker(t, size, building{Checks: true})
	zeros.chunk(make([]byte, size))
	zeros.chunk(bytes.Repeat([]byte{1, 2, 3, 4}, size/4))
	zeros.chunk(make([]byte, 100))
	zeros.tail()
	cases["constant"] = zeros.sealed()
	want["constant"] = append(append(make([]byte, size), bytes.Repeat([]byte{1, 2, 3, 4}, size/4)...), make([]byte, 100)...)
	for _, lib := range b2test.Oracles(t) {
		for name, b := range cases {
			file := write(t, b)
			for _, opts := range [][]string{{"read-frame"}, {"read-frame", "--in-memory"}} {
				out := filepath.Join(t.TempDir(), "out")
				lib.Run(t, append(opts, file, out)...)
				if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want[name]) {
					t.Errorf("%v %v %s: %d bytes, want %d", lib, opts, name, len(got), len(want[name]))
				}
			}
			items := len(want[name]) / 4
			if items > 20 && len(want[name])%4 == 0 {
				out := filepath.Join(t.TempDir(), "out")
				lib.Run(t, "read-range", "--start", "7", "--stop", fmt.Sprint(items-5), file, out)
				if got, _ := os.ReadFile(out); !bytes.Equal(got, want[name][28:4*(items-5)]) {
					t.Errorf("%v range of %s: %d bytes", lib, name, len(got))
				}
			}
		}
	}
	t.Logf("%d frames read by each library", len(cases))
}
