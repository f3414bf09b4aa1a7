package frame_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// specials returns special chunks of 1000 decoded bytes, with items of 4 bytes.
func specials(t testing.TB) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	for name, make := range map[string]func([]byte, int, int) ([]byte, error){
		"zeros": chunk.AppendZeros, "nan": chunk.AppendNaN, "uninit": chunk.AppendUninit} {
		c, err := make(nil, 1000, 4)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = c
	}
	c, err := chunk.AppendRepeat(nil, 1000, []byte{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	all["value"] = c
	return all
}

// A special raw chunk is converted to one that C-Blosc2 reads from a file.
func TestAppendChunkSpecial(t *testing.T) {
	var d chunk.Decoder
	for name, c := range specials(t) {
		want, err := d.Decode(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		m := newMaker(t, 1000, building{Checks: true})
		if err := m.b.AddChunk(1000, len(c)); errors.Is(err, blosc2.ErrOption) != (len(c) == 32) {
			t.Errorf("%s: AddChunk: %v", name, err)
		}
		m = newMaker(t, 1000, building{Checks: true})
		ordinary := m.must(m.enc.Encode(nil, ramp(1000)))
		for _, c := range [][]byte{c, ordinary, c} {
			m.wire = m.must(m.b.AppendChunk(m.wire, c))
		}
		m.tail()
		data := append(append(bytes.Clone(want), ramp(1000)...), want...)
		b := m.sealed()
		mustHold(t, name, b, data)
		if rep, err := frame.Verify(bytes.NewReader(b), int64(len(b))); err != nil || !rep.Sound() {
			t.Errorf("%s: %v %v", name, rep.Err(), err)
		}
		bothRead(t, write(t, b), data, 4)
		for _, bad := range [][]byte{nil, c[:16], c[:len(c)-1], append(bytes.Clone(c), 0), make([]byte, 32)} {
			if _, err := m.b.AppendChunk(nil, bad); err == nil {
				t.Errorf("%s: % x was taken", name, bad)
			}
		}
	}
}

// Verify reports special chunks that are stored among the others, which C-Blosc2 cannot
// read. Compact corrects them.
func TestVerifySpecial(t *testing.T) {
	var d chunk.Decoder
	for name, c := range specials(t) {
		want, err := d.Decode(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1} { // position of the special chunk
			m := newMaker(t, 1000, building{Checks: true})
			m.b.SetVLMeta("note", []byte("hello"))
			ordinary := m.must(m.enc.Encode(nil, ramp(1000)))
			both := [][]byte{c, ordinary}
			data := append(bytes.Clone(want), ramp(1000)...)
			if n == 1 {
				both = [][]byte{ordinary, c}
				data = append(ramp(1000), want...)
			}
			for _, c := range both {
				m.wire = framing.AppendChunkRecord(append(m.wire, c...), c)
				if err := m.b.Note(1000, len(c)); err != nil {
					t.Fatal(err)
				}
			}
			m.tail()
			b := m.sealed()
			rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)))
			if err != nil || rep.Sound() != (name == "value") || !rep.Sound() && !errors.Is(rep.Err(), blosc2.ErrUnsupported) {
				t.Errorf("%s: %v %v", name, rep.Err(), err)
			}
			path := write(t, b)
			for _, lib := range b2test.Oracles(t) {
				out := filepath.Join(t.TempDir(), "out")
				_, err := lib.RunErr("read-frame", path, out)
				if (err == nil) != rep.Sound() {
					t.Errorf("%s at %d: version %d: %v, Verify: %v", name, n, lib.Major, err, rep.Err())
				}
			}
			recut(t, path, data)
			bothRead(t, path, data, 4)
		}
	}
}
