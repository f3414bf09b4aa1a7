package b2nd

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

// The chunks hold each item of a window once, at the stated position.
func TestChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	parts := 0
	for range 200 {
		g := randomGrid(t, r)
		data := randomBytes(r, g.items()*g.item)
		a := written(t, Spec{Shape: g.shape, ItemSize: int(g.item), ChunkShape: g.chunk, BlockShape: g.block}, data)
		w := All(g.shape)
		for d, n := range g.shape {
			x, y := r.Int64N(n+1), r.Int64N(n+1)
			w[d] = Span{Start: min(x, y), Stop: max(x, y), Step: 1 + r.Int64N(9)}
		}
		if r.IntN(4) == 0 {
			w = nil
		}
		seen := int64(0)
		for c, err := range a.Chunks(w) {
			if err != nil {
				t.Fatal(err)
			}
			if want := naiveWindow(g, data, c.Window); !bytes.Equal(c.Items, want) {
				t.Fatalf("grid %+v: window %v, chunk %v: other items at %v", g, w, c.Index, c.Window)
			}
			for d, s := range c.Window {
				if s.Start/g.chunk[d] != c.Index[d] || (s.Stop-1)/g.chunk[d] != c.Index[d] || w != nil && (s.Start-w[d].Start)%w[d].Step != 0 {
					t.Fatalf("chunk %v of %v has the items %v of %v", c.Index, g.chunk, s, w)
				}
			}
			seen += product(c.Window.lens())
			parts++
		}
		if w == nil {
			w = All(g.shape)
		}
		if want := product(w.lens()); seen != want {
			t.Fatalf("grid %+v: window %v: %d items, want %d", g, w, seen, want)
		}
	}
	if parts < 200 {
		t.Errorf("%d chunks only", parts)
	}
}

func TestChunksEnd(t *testing.T) {
	a := written(t, Spec{Shape: []int64{10}, DType: "|u1", ChunkShape: []int64{2}, BlockShape: []int64{1}}, []byte("0123456789"))
	n := 0
	for range a.Chunks(nil) {
		if n++; n == 3 {
			break
		}
	}
	for _, err := range a.Chunks(Window{{0, 11, 1, false}}) {
		if !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("a window beyond the array: %v", err)
		}
	}
	for c, err := range a.Chunks(Window{{3, 3, 1, false}}) {
		t.Errorf("an empty window has the chunk %v, %v", c, err)
	}
}

// Fields of structures are returned in the machine's byte order; other types are
// rejected.
func TestReadField(t *testing.T) {
	dtype := "[('id', '>i2'), ('pair', '<f4', (2,)), ('when', '<M8[s]'), ('name', '|S3')]"
	var data []byte
	for i := range 6 {
		data = append(data, 0, byte(i), 0, 0, 0x80, 0x3f, 0, 0, 0, byte(0x40+i), byte(i), 1, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c')
	}
	a := written(t, Spec{Shape: []int64{2, 3}, DType: dtype, ChunkShape: []int64{1, 2}, BlockShape: []int64{1, 2}}, data)
	if got, err := ReadField[int16](a, "id", nil); err != nil || fmt.Sprint(got) != "[0 1 2 3 4 5]" {
		t.Errorf("id: %v, %v", got, err)
	}
	w := Window{{0, 2, 1, false}, {1, 2, 1, true}}
	if got, err := ReadField[float32](a, "pair", w); err != nil || fmt.Sprint(got) != "[1 8 1 512]" {
		t.Errorf("pair: %v, %v", got, err)
	}
	if got, err := ReadField[int64](a, "when", w); err != nil || fmt.Sprint(got) != "[257 260]" {
		t.Errorf("when: %v, %v", got, err)
	}
	for name, err := range map[string]error{
		"name as numbers": second(ReadField[uint8](a, "name", nil)),
		"no such field":   second(ReadField[uint8](a, "none", nil)),
		"another type":    second(ReadField[int32](a, "id", nil)),
		"whole items":     second(Read[int64](a, nil)),
	} {
		if !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
