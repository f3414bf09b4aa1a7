package b2nd

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// floatBytes returns the little-endian bytes of s.
func floatBytes(s []float64) []byte {
	b := make([]byte, 0, 8*len(s))
	for _, v := range s {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// written makes an array of spec and opens it.
func written(t testing.TB, spec Spec, data []byte, opts ...stream.WriterOption) *Array {
	t.Helper()
	var buf bytes.Buffer
	w, err := NewWriter(&buf, spec, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// openEntry opens an array of the corpus, a file or a directory.
func openEntry(t *testing.T, e b2test.Entry) (*Array, error) {
	if e.Files != nil {
		f, err := frame.OpenFS(os.DirFS(e.File()))
		if err != nil {
			return nil, err
		}
		return FromFrame(f)
	}
	b := e.Bytes(t)
	return Open(bytes.NewReader(b), int64(len(b)))
}

func randomGrid(t testing.TB, r *rand.Rand) *grid {
	if r.IntN(20) == 0 { // a larger array, of which many short runs are copied
		n := 1 + r.IntN(3)
		shape, chunk, block := make([]int64, n), make([]int32, n), make([]int32, n)
		for d := range n {
			shape[d] = int64(1 + r.IntN(150/(3*d+1)))
			chunk[d] = int32(1 + r.IntN(100/(2*d+1)))
			block[d] = int32(1 + r.IntN(90/(4*d+1)))
		}
		g, err := newGrid(shape, chunk, block, int64(1+r.IntN(5)))
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	n := r.IntN(5)
	shape, chunk, block := make([]int64, n), make([]int32, n), make([]int32, n)
	for d := range n {
		shape[d] = int64(r.IntN(12))
		chunk[d] = int32(1 + r.IntN(8))
		block[d] = int32(1 + r.IntN(6))
	}
	g, err := newGrid(shape, chunk, block, int64(1+r.IntN(17)))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func randomTrial(t *testing.T, r *rand.Rand, dims int) trial {
	n := r.IntN(dims + 1)
	s := Spec{Shape: make([]int64, n), ChunkShape: make([]int64, n), BlockShape: make([]int64, n), DType: dtypes[r.IntN(len(dtypes))]}
	side := 40
	if n > 2 {
		side = 9
	}
	if n > 4 {
		side = 3
	}
	for d := range n {
		s.Shape[d] = 1 + r.Int64N(int64(side))
		if r.IntN(20) == 0 {
			s.Shape[d] = r.Int64N(2)
		}
		s.ChunkShape[d] = 1 + r.Int64N(max(s.Shape[d], 1))
		s.BlockShape[d] = 1 + r.Int64N(s.ChunkShape[d])
	}
	g, _, err := s.plan()
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, g.items()*g.item)
	for i := range data { // data that are neither constant nor noise
		data[i] = byte(i/int(g.item)>>(r.IntN(3)*3)) * byte(i%3)
	}
	if r.IntN(8) == 0 {
		clear(data)
	}
	codecs := []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecZlib, blosc2.CodecZstd}
	return trial{s, g, data, codecs[r.IntN(len(codecs))], r.IntN(10)}
}

// writeIn writes data in pieces of random length.
func writeIn(t *testing.T, r *rand.Rand, w io.Writer, data []byte) {
	t.Helper()
	for len(data) > 0 {
		n := min(1+r.IntN(200), len(data))
		if r.IntN(4) == 0 {
			n = len(data)
		}
		if k, err := w.Write(data[:n]); err != nil || k != n {
			t.Fatalf("Write of %d bytes: %d, %v", n, k, err)
		}
		data = data[n:]
	}
}

func randomBytes(r *rand.Rand, n int64) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func naiveWindow(g *grid, data []byte, w Window) []byte {
	if product(w.lens()) == 0 {
		return nil
	}
	var out []byte
	var at [MaxDim]int64
	for d, s := range w {
		at[d] = s.Start
	}
	for {
		i := int64(0)
		for d := range w {
			i = i*g.shape[d] + at[d]
		}
		out = append(out, data[i*g.item:(i+1)*g.item]...)
		d := len(w) - 1
		for ; d >= 0; d-- {
			if at[d] += w[d].Step; at[d] < w[d].Stop {
				break
			}
			at[d] = w[d].Start
		}
		if d < 0 {
			return out
		}
	}
}

// rounds returns the number of arrays that are tried in each direction with each library.
func rounds() int {
	if os.Getenv("BLOSC2_FULL") != "" {
		return 1500
	}
	return 150
}
