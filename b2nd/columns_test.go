package b2nd

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// table returns the rows of a table of uint32. Each column has values of its own kind, which
// change slowly.
func table(rows, columns int64) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]uint32, columns)
	for c := range values {
		values[c] = r.Uint32()
	}
	var b []byte
	for range rows {
		for c := range values {
			if r.IntN(8) == 0 {
				values[c] += r.Uint32N(3)
			}
			b = binary.LittleEndian.AppendUint32(b, values[c])
		}
	}
	return b
}

func noise(n int) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// With Auto, tables have blocks of one column, unless the shape of blocks is given, or the data
// do not become smaller, or are few.
func TestAutoColumns(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape []int64
		data  []byte
		spec  Spec
		opts  []stream.WriterOption
		want  []int64 // the shape of blocks; nil if that without Auto
	}{
		{name: "table", shape: []int64{100000, 8}, data: table(100000, 8), want: []int64{50000, 1}},
		{name: "odd", shape: []int64{90001, 8}, data: table(90001, 8), want: []int64{45001, 1}},
		{name: "wide", shape: []int64{20000, 64}, data: table(20000, 64), opts: []stream.WriterOption{stream.Auto(tune.WAN)}, want: []int64{5000, 1}},
		{name: "wider", shape: []int64{20000, 65}, data: table(20000, 65)},
		{name: "matrices", shape: []int64{40000, 3, 3}, data: table(40000, 9), want: []int64{40000, 1, 1}},
		{name: "image", shape: []int64{300, 400, 3}, data: table(300*400, 3), opts: []stream.WriterOption{stream.Auto(tune.WAN)}, want: []int64{150, 400, 1}},
		{name: "chunks", shape: []int64{100000, 8}, data: table(100000, 8), spec: Spec{ChunkShape: []int64{30000, 8}}, want: []int64{30000, 1}},
		{name: "half rows", shape: []int64{100000, 8}, data: table(100000, 8), spec: Spec{ChunkShape: []int64{30000, 4}}},
		{name: "growing", shape: []int64{Unknown, 8}, data: table(100000, 8), want: []int64{65536, 1}},
		{name: "archive", shape: []int64{100000, 8}, data: table(100000, 8), opts: []stream.WriterOption{stream.Auto(tune.Archive)}, want: []int64{50000, 1}},
		{name: "level", shape: []int64{100000, 8}, data: table(100000, 8), opts: []stream.WriterOption{stream.Level(1)}, want: []int64{50000, 1}},
		{name: "noise", shape: []int64{100000, 8}, data: noise(3200000)},
		{name: "constant", shape: []int64{100000, 8}, data: make([]byte, 3200000)},
		{name: "even", shape: []int64{100003, 8}, data: noise(3200096), want: []int64{7693, 8}},
		{name: "no columns", shape: []int64{800000}, data: table(800000, 1)},
		{name: "few", shape: []int64{1000, 8}, data: table(1000, 8)},
		{name: "given", shape: []int64{100000, 8}, data: table(100000, 8), spec: Spec{BlockShape: []int64{1000, 8}}, want: []int64{1000, 8}},
		{name: "without Auto", shape: []int64{100000, 8}, data: table(100000, 8), opts: []stream.WriterOption{stream.Auto(0)}},
	} {
		spec := c.spec
		spec.Shape, spec.DType = c.shape, "u4"
		a := written(t, spec, c.data, append([]stream.WriterOption{stream.Auto(tune.Balanced)}, c.opts...)...)
		if c.want == nil {
			plain := written(t, spec, c.data)
			c.want = plain.BlockShape()
		}
		if got := a.BlockShape(); !slices.Equal(got, c.want) {
			t.Errorf("%s: blocks of %v, want %v", c.name, got, c.want)
		}
		got, err := a.ReadAll()
		if err != nil || !bytes.Equal(got, c.data) {
			t.Errorf("%s: other items, %v", c.name, err)
		}
	}
}

// Rows that are flushed before the blocks are chosen count as the first rows: blocks have one
// column if they are enough, and keep their shape if the array is continued.
func TestAutoColumnsOfLog(t *testing.T) {
	data := table(300000, 8)
	for _, c := range []struct {
		flushed int // rows of the first Flush
		want    []int64
	}{{4000, []int64{65536, 1}}, {10, []int64{8192, 8}}} {
		path := filepath.Join(t.TempDir(), "log.b2nd")
		spec := Spec{Shape: []int64{Unknown, 8}, DType: "u4"}
		for i := range 3 {
			w, err := AppendFile(path, spec, stream.Auto(tune.Balanced))
			if err != nil {
				t.Fatal(err)
			}
			part := data[i*len(data)/3 : (i+1)*len(data)/3]
			n := c.flushed * 32
			for _, p := range [][]byte{part[:n], part[n:]} {
				if _, err := w.Write(p); err != nil {
					t.Fatal(err)
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		a, err := OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.BlockShape(); !slices.Equal(got, c.want) {
			t.Errorf("first flush of %d rows: blocks of %v, want %v", c.flushed, got, c.want)
		}
		if got, err := a.ReadAll(); err != nil || !bytes.Equal(got, data) {
			t.Errorf("first flush of %d rows: other items, %v", c.flushed, err)
		}
		a.Close()
	}
}

// C-Blosc2 reads arrays for which Auto has chosen blocks of one column.
func TestCReadsColumns(t *testing.T) {
	shapes := [][]int64{{90001, 8}, {Unknown, 5}, {301, 401, 3}, {30000, 2, 7}}
	for _, lib := range b2test.Oracles(t) {
		dir := t.TempDir()
		for _, shape := range shapes {
			rows := max(product(shape[1:]), 1)
			columns := shape[len(shape)-1]
			if shape[0] == Unknown {
				rows *= 200000
			} else {
				rows *= shape[0]
			}
			data := table(rows/columns, columns)
			path, out := filepath.Join(dir, "a.b2nd"), filepath.Join(dir, "a.bin")
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			w, err := NewWriter(file, Spec{Shape: shape, DType: "u4"}, stream.Auto(tune.WAN))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(w, bytes.NewReader(data)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if blocks := w.grid.block; blocks[len(blocks)-1] != 1 {
				t.Fatalf("shape %v: blocks of %v", shape, blocks)
			}
			file.Close()
			lib.Run(t, "read-b2nd", path, out)
			if got, _ := os.ReadFile(out); !bytes.Equal(got, data) {
				t.Errorf("%v: shape %v: C reads other bytes", lib, shape)
			}
		}
	}
	t.Logf("cases: %d arrays read by each library", len(shapes))
}

// Strips put items where one box for each block puts them.
func TestStrips(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		first, last := 1+r.IntN(2), 1+r.IntN(2)
		n := first + last
		shape, chunk, block := make([]int64, n), make([]int32, n), make([]int32, n)
		for d := range n {
			shape[d] = int64(1 + r.IntN(900/(1<<(3*(n-2)))))
			chunk[d], block[d] = int32(1+r.IntN(int(shape[d]))), int32(1+r.IntN(int(shape[d])))
			if d >= first {
				shape[d] = int64(1 + r.IntN(9))
				chunk[d], block[d] = int32(1+r.IntN(9)), 1
			}
		}
		g, err := newGrid(shape, chunk, block, 1<<r.IntN(4))
		if err != nil {
			t.Fatal(err)
		}
		if g.rowDims() == 0 {
			continue
		}
		data := noise(int(product(shape) * g.item))
		spec := Spec{Shape: shape, ItemSize: int(g.item), ChunkShape: g.chunk, BlockShape: g.block}
		a := written(t, spec, data)
		all := All(shape)
		got := make([]byte, len(data))
		if err := a.ReadWindow(got, all); err != nil || !bytes.Equal(got, data) { // it reads one block after the other
			t.Fatalf("%+v: other items in blocks, %v", spec, err)
		}
		var file bytes.Buffer
		w, err := NewWriter(&file, spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		rd, err := NewReader(&file)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(rd); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%+v: other items in C order, %v", spec, err)
		}
	}
}

// C-Blosc2 reads arrays that several writers with Auto have made: the blocks stay.
func TestCReadsAppendedAuto(t *testing.T) {
	data := table(120000, 8)
	for _, lib := range b2test.Oracles(t) {
		for _, blocks := range [][]int64{nil, {1000, 8}, {4096, 1}} {
			path := filepath.Join(t.TempDir(), "log.b2nd")
			out := path + ".bin"
			spec := Spec{Shape: []int64{Unknown, 8}, DType: "u4", BlockShape: blocks}
			for i, aim := range []tune.Aim{tune.Balanced, tune.Disk, tune.WAN} {
				w, err := AppendFile(path, spec, stream.Auto(aim))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.Write(data[i*len(data)/3 : (i+1)*len(data)/3]); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
			}
			lib.Run(t, "read-b2nd", path, out)
			if got, _ := os.ReadFile(out); !bytes.Equal(got, data) {
				t.Errorf("%v: blocks %v: C reads other bytes", lib, blocks)
			}
		}
	}
}
