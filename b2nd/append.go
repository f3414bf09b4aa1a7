package b2nd

import (
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// Append returns a Writer that goes on with the array in a file of size bytes,
// after its last row, in whatever state its last Writer left it: closed, flushed,
// committed or torn. Every row that Flush reported is kept; Recovered says how
// many were not committed. With stream.DropTail these are dropped instead. The
// first dimension grows, and the others stay.
//
// The options are those of stream.Append; Codec, level and filters may be others
// for the new chunks. An array whose chunks are not in order, as C-Blosc2 writes
// them, is blosc2.ErrUnsupported: frame.CompactFile makes one that can be gone on
// with, and an Editor appends to any. So is an array whose Writer knew its shape
// and died before it was complete: see Finish. An empty file is
// io.ErrUnexpectedEOF: see AppendFile.
func Append(file frame.File, size int64, opts ...stream.WriterOption) (*Writer, error) {
	if err := framing.Need(file != nil, "file", "a frame.File, such as an *os.File"); err != nil {
		return nil, err
	}
	return appendTo(file, size, nil, opts)
}

// appendTo does so where the array is as spec says, if that is not nil.
func appendTo(file frame.File, size int64, spec *Spec, opts []stream.WriterOption) (*Writer, error) {
	a, err := Open(file, size, Workers(1), Cache(0), FrameOptions(frame.AllowTorn()))
	if err != nil {
		return nil, err
	}
	if len(a.grid.shape) == 0 || product(a.grid.shape[1:]) == 0 {
		return nil, &blosc2.OptionError{Option: "shape", Value: a.grid.shape, Range: "one whose rows have items"}
	}
	if spec != nil {
		if err := spec.describes(a); err != nil {
			return nil, err
		}
	}
	if size, err = stateShape(file, size, a); err != nil {
		return nil, err
	}
	committed := committedRows(a)
	w, err := stream.Append(file, size, append(opts[:len(opts):len(opts)], growRows)...)
	if err != nil {
		return nil, err
	}
	aw, err := resume(file, w, a)
	if err != nil {
		w.Abort(err)
		return nil, err
	}
	aw.recovered = max(aw.rows+aw.slabRows()-committed, 0)
	return aw, nil
}

// resume makes the Writer of an array that the stream w goes on with. before is
// the array as it was found.
func resume(file frame.File, w *stream.Writer, before *Array) (*Writer, error) {
	rows, part, size := framing.Rows(w).Count()
	desc, g, err := withRows(before.desc, rows, before.grid.item)
	if err != nil {
		return nil, err
	}
	aw := &Writer{w: w, grid: g, desc: desc, growing: true, logged: true, inHeader: true, left: 1<<63 - 1}
	aw.full = mul(mul(g.chunk[0], product(g.shape[1:])), g.item)
	if int64(int(aw.full)) != aw.full {
		return nil, &blosc2.OptionError{Option: "chunkshape", Value: g.chunk, Range: "so that as many rows as a chunk has fit into memory"}
	}
	aw.rows = rows - part
	if part == 0 {
		return aw, nil
	}
	// What the stream has taken up is in the file.
	a, err := Open(file, size, Workers(1), Cache(0), FrameOptions(frame.AllowTorn()))
	if err != nil {
		return nil, err
	}
	if a.grid.shape[0] < rows {
		return nil, shapeErrorf("%d rows of %d are there", a.grid.shape[0], rows)
	}
	window := All(a.grid.shape)
	window[0] = Span{Start: aw.rows, Stop: rows, Step: 1}
	aw.slab = make([]byte, part*(aw.full/g.chunk[0]), aw.full)
	aw.short = true
	if err := a.ReadWindow(aw.slab, window); err != nil {
		return nil, err
	}
	return aw, aw.flushSlab(aw.full)
}

// committedRows is how many rows the header of a frame says that there are, 0
// where it was never sealed.
func committedRows(a *Array) int64 {
	if a.f.Order() == frame.Unsealed {
		return 0
	}
	desc, _, err := describe(a.f)
	if err != nil || len(desc.Shape) == 0 {
		return 0
	}
	return desc.Shape[0]
}

// stateShape puts the shape of an array into its header where it was found after
// the data, as in one that came through a pipe, and returns the size of the file
// after that.
func stateShape(file frame.File, size int64, a *Array) (int64, error) {
	if _, ok, err := a.f.VLMeta(meta.B2NDName); err != nil || !ok || a.f.Open() || a.f.Size() == 0 {
		return size, err
	}
	if a.f.Order() == frame.Unsealed {
		if err := frame.Seal(file, size); err != nil {
			return size, err
		}
	}
	e, err := Edit(file, size)
	if err != nil {
		return size, err
	}
	defer e.Close()
	if err := e.setShape(); err != nil {
		return size, err
	}
	if err := e.e.Commit(); err != nil {
		return size, err
	}
	return e.e.Len(), nil
}

// describes reports whether an array is one that the Spec describes, its number
// of rows aside.
func (s *Spec) describes(a *Array) error {
	_, desc, err := s.plan()
	if err != nil {
		return err
	}
	g := a.grid
	if len(s.Shape) != len(g.shape) || len(s.Shape) == 0 || !slices.Equal(s.Shape[1:], g.shape[1:]) {
		return &blosc2.OptionError{Option: "shape", Value: s.Shape, Range: fmt.Sprintf("%v but for the first dimension, as the file has it", g.shape)}
	}
	if s.ChunkShape != nil && !slices.Equal(s.ChunkShape, g.chunk) || s.BlockShape != nil && !slices.Equal(s.BlockShape, g.block) {
		return &blosc2.OptionError{Option: "chunkshape or blockshape", Value: [][]int64{s.ChunkShape, s.BlockShape}, Range: fmt.Sprintf("%v and %v, as the file has them, or nil", g.chunk, g.block)}
	}
	item := g.item
	if t := desc.ItemType(int(item)); s.DType != "" && t.String() != a.text || s.ItemSize != 0 && int64(s.ItemSize) != item {
		return &blosc2.OptionError{Option: "dtype", Value: s.DType, Range: fmt.Sprintf("%s of %d bytes, as the file has it", a.text, item)}
	}
	return nil
}

// Recovered is how many rows the file held which its last Writer had flushed and
// not committed, after Append or AppendFile.
func (a *Writer) Recovered() int64 { return a.recovered }

func errNotGrowing(spec Spec) error {
	return &blosc2.OptionError{Option: "shape", Value: spec.Shape, Range: "one whose first dimension is Unknown"}
}
