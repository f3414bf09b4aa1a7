package stream

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/tune"
)

// The header records the pick, the data survive a round trip, the bytes do not depend on
// the number of workers, and after Reset the parameters are chosen again.
func TestAuto(t *testing.T) {
	var data []byte
	for i := range 1 << 19 {
		data = binary.LittleEndian.AppendUint64(data, uint64(1e15)+uint64(i*i%977))
	}
	aims := []tune.Aim{tune.Balanced, tune.Speed, tune.Disk, tune.Size}
	if testing.Short() {
		aims = aims[:1]
	}
	for _, aim := range aims {
		var frames [2]bytes.Buffer
		for i, workers := range []int{1, 2} {
			w, err := NewWriter(io.Discard, Auto(aim), Workers(workers))
			if err != nil {
				t.Fatal(err)
			}
			// Compress other data first, for which another pick is right.
			w.Write(bytes.Repeat([]byte{1, 2, 3}, 1<<18))
			if err := w.Reset(&frames[i]); err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(w, bytes.NewReader(data)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(frames[0].Bytes(), frames[1].Bytes()) {
			t.Errorf("%v: other bytes with two workers", aim)
		}
		r, err := NewReader(&frames[0])
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%v: other data, %v", aim, err)
		}
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		if slow := h.Codec == blosc2.CodecZstd || h.Codec == blosc2.CodecZlib; aim != tune.Balanced && slow != (aim == tune.Size) {
			t.Errorf("%v: the header says %v", aim, h.Codec)
		}
		t.Logf("%v: %v %d %v", aim, h.Codec, h.Level, h.Filters)
	}
	if _, err := NewWriter(io.Discard, Auto(-9)); err == nil {
		t.Error("an invalid aim was accepted")
	}
}

// A short stream with quick settings has one worker if its memory is new. Later streams of the
// Writer, and longer ones, have all of them. The bytes are the same.
func TestAutoBrief(t *testing.T) {
	twoProcs(t)
	data := make([]byte, 0, 16<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for range 16 << 20 / 8 {
		data = binary.LittleEndian.AppendUint64(data, uint64(r.ExpFloat64()*1000))
	}
	for _, c := range []struct {
		length       int
		first, later bool // whether the stream of a Writer has one worker
	}{{3 << 19, true, false}, {16 << 20, false, false}} {
		var want bytes.Buffer
		w, err := NewWriter(&want, Auto(tune.Balanced), ItemSize(8), Workers(1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.ReadFrom(bytes.NewReader(data[:c.length])); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if w, err = NewWriter(&got, Auto(tune.Balanced), ItemSize(8), Workers(2)); err != nil {
			t.Fatal(err)
		}
		for i, alone := range []bool{c.first, c.later} {
			if _, err := w.ReadFrom(bytes.NewReader(data[:c.length])); err != nil {
				t.Fatal(err)
			}
			if w.coder.inline() != alone {
				t.Errorf("%d bytes, stream %d: one worker: %t, should be %t", c.length, i, !alone, alone)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%d bytes, stream %d: not the bytes of one worker", c.length, i)
			}
			got.Reset()
			if err := w.Reset(&got); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Chunks of a single item at the beginning do not settle the width of items.
func TestAutoLeadingItems(t *testing.T) {
	var data []byte
	for len(data) < 3<<20 {
		data = append(data, 0, 0, 0xc0, 0x7f) // NaN of 4 bytes
	}
	r, walk := rand.New(rand.NewPCG(1, 2)), 1<<14
	for range 1 << 19 {
		walk += r.IntN(64) - 32
		data = binary.LittleEndian.AppendUint16(data, uint16(walk))
	}
	for _, workers := range []int{1, 2} {
		var frame bytes.Buffer
		w, err := NewWriter(&frame, Auto(tune.Balanced), Workers(workers))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := NewReader(&frame)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%d workers: other data, %v", workers, err)
		}
		if h, err := r.Header(); err != nil || h.TypeSize != 2 {
			t.Errorf("%d workers: items of %d bytes, %v", workers, h.TypeSize, err)
		}
	}
}

// Runs cost nothing where data are stored, and data after them are examined again, whether
// the source can be read at any offset or not.
func TestAutoStoredParts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 2<<20)
	for i := 0; i < len(noise); i += 8 {
		binary.LittleEndian.PutUint64(noise[i:], r.Uint64())
	}
	zeros, items := make([]byte, 4<<20), bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, 1<<19)
	var text []byte
	for len(text) < 6<<20 {
		text = fmt.Appendf(text, "%d sheep and %d goats, ", r.IntN(100), r.IntN(100))
	}
	for name, parts := range map[string][][]byte{
		"zeros after":           {noise, zeros},
		"zeros before":          {zeros, noise},
		"items after":           {noise, items},
		"items before":          {items, noise},
		"text after noise":      {noise, text},
		"text after both":       {zeros, noise, noise, noise, noise, text},
		"text before and after": {text, noise, text},
	} {
		data := slices.Concat(parts...)
		most := len(text)/2 + 20_000 // of the parts that are not noise
		if bytes.Count(data, text[:100]) == 0 {
			most = 20_000
		}
		for _, p := range parts {
			if &p[0] == &noise[0] {
				most += len(noise)
			}
		}
		for _, aim := range []tune.Aim{tune.Balanced, tune.WAN} {
			for source, src := range map[string]io.Reader{"file": bytes.NewReader(data), "pipe": bytes.NewBuffer(data)} {
				var frame bytes.Buffer
				w, err := NewWriter(&frame, Auto(aim), Workers(2))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.ReadFrom(src); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if frame.Len() > most {
					t.Errorf("%s, %s, %v: %d bytes, want at most %d", name, source, aim, frame.Len(), most)
				}
				back, err := Decompress(nil, frame.Bytes())
				if err != nil || !bytes.Equal(back, data) {
					t.Fatalf("%s, %s, %v: other data, %v", name, source, aim, err)
				}
			}
		}
	}
}

// Changes counts neither the first choice nor runs.
func TestAutoChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	noise, text := make([]byte, 1<<20), bytes.Repeat([]byte("two sheep and three goats, "), 1<<16)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	w, err := NewWriter(io.Discard, Auto(tune.Balanced), TypeSize(8))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	zeros := make([]byte, 1<<20)
	for i, part := range []struct {
		data []byte
		want int64
	}{{zeros, 0}, {noise, 0}, {zeros, 0}, {noise, 0}, {text[:1<<20], 1}, {noise, 2}} {
		if _, err := w.Write(part.data); err != nil {
			t.Fatal(err)
		}
		if n := w.Stats().Changes; n != part.want {
			t.Errorf("after part %d: %d changes, want %d", i, n, part.want)
		}
	}
}
