package b2nd

import (
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// Append returns a Writer that continues the array in a file of size bytes,
// after its last row. The last Writer may have closed, flushed or committed the
// array, or died. Every flushed row is kept; Recovered returns how many of them
// were not committed. With stream.DropTail these are dropped. Damaged rows are
// an error, or reported by Lost, as for stream.Append. Only the first dimension
// grows.
//
// The options are those of stream.Append; Codec, level and filters may differ for
// the new chunks. An array whose chunks are not in order, as C-Blosc2 writes them,
// results in blosc2.ErrUnsupported: frame.CompactFile makes one that can be
// continued, and an Editor can append to any. An incomplete array of known shape
// results in blosc2.ErrUnsupported too: see Finish. So does a lossy codec or filter
// if rows of a lossless array would be compressed again with it, because their chunk
// is not full. An empty file results in io.ErrUnexpectedEOF: see AppendFile.
func Append(file frame.File, size int64, opts ...stream.WriterOption) (*Writer, error) {
	if err := framing.Need(file != nil, "file", "a frame.File, such as an *os.File"); err != nil {
		return nil, err
	}
	return appendTo(file, size, nil, opts)
}

// appendTo is like Append, but also checks that spec, unless it is nil, describes
// the array.
func appendTo(file frame.File, size int64, spec *Spec, opts []stream.WriterOption) (*Writer, error) {
	a, err := Open(file, size, Workers(1), Cache(0), FrameOptions(frame.AllowTorn(), frame.CheckWhole()))
	if err != nil {
		return nil, err
	}
	if len(a.grid.shape) == 0 || product(a.grid.shape[1:]) == 0 {
		return nil, &blosc2.OptionError{Option: "shape", Value: a.grid.shape, Range: "one or more dimensions, with items in each row"}
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
	w, err := stream.Append(file, size, append(opts[:len(opts):len(opts)], stream.ChunkSize(int(a.grid.chunkBytes)), growRows)...)
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

// resume returns the Writer of an array that the stream w continues. before is the
// array as it was when opened.
func resume(file frame.File, w *stream.Writer, before *Array) (*Writer, error) {
	rows, part, size := framing.Rows(w).Count()
	desc, g, err := withRows(before.desc, rows, before.grid.item)
	if err != nil {
		return nil, err
	}
	aw := &Writer{w: w, grid: g, desc: desc, growing: true, logged: true, inHeader: true, left: 1<<63 - 1}
	aw.full = mul(mul(g.chunk[0], product(g.shape[1:])), g.item)
	if int64(int(aw.full)) != aw.full {
		return nil, &blosc2.OptionError{Option: "chunkshape", Value: g.chunk, Range: "small enough for the rows of a chunk to fit into memory"}
	}
	aw.rows = rows - part
	if part == 0 {
		return aw, nil
	}
	if p := w.Chosen().Params; lossy(p.Filters, p.Codec) && !lossy(before.f.Header().Filters, before.f.Header().Codec) {
		return nil, fmt.Errorf("%w: the last %d rows of the array would be compressed again with a lossy codec or filter", blosc2.ErrUnsupported, part)
	}
	// The rows that the stream has recovered are in the file.
	a, err := Open(file, size, Workers(1), Cache(0), FrameOptions(frame.AllowTorn(), frame.CheckWhole()))
	if err != nil {
		return nil, err
	}
	if a.grid.shape[0] < rows {
		return nil, shapeErrorf("array has %d rows; must have at least %d", a.grid.shape[0], rows)
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

// lossy reports whether the filters or the codec may change values.
func lossy(f filters.Pipeline, c blosc2.CodecID) bool { return f.Lossy() || framing.LossyCodec(c) }

// committedRows returns the number of rows in the header of a frame, 0 if it
// was never sealed.
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

// stateShape copies a shape that is stored after the data, as by a Writer to a
// pipe, to the header, and returns the new size of the file.
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

// describes reports whether the Spec describes the array, ignoring the number
// of rows.
func (s *Spec) describes(a *Array) error {
	_, desc, err := s.plan()
	if err != nil {
		return err
	}
	g := a.grid
	if len(s.Shape) != len(g.shape) || len(s.Shape) == 0 || !slices.Equal(s.Shape[1:], g.shape[1:]) {
		return &blosc2.OptionError{Option: "shape", Value: s.Shape, Range: fmt.Sprintf("%v except in the first dimension, like the file", g.shape)}
	}
	if s.ChunkShape != nil && !slices.Equal(s.ChunkShape, g.chunk) || s.BlockShape != nil && !slices.Equal(s.BlockShape, g.block) {
		return &blosc2.OptionError{Option: "chunkshape or blockshape", Value: [][]int64{s.ChunkShape, s.BlockShape}, Range: fmt.Sprintf("%v and %v, those of the file, or nil", g.chunk, g.block)}
	}
	item := g.item
	if t := desc.ItemType(int(item)); s.DType != "" && t.String() != a.text || s.ItemSize != 0 && int64(s.ItemSize) != item {
		return &blosc2.OptionError{Option: "dtype", Value: s.DType, Range: fmt.Sprintf("%s of %d bytes, like the file", a.text, item)}
	}
	return nil
}

// Recovered returns how many rows of the file were flushed but not committed by
// its last Writer, after Append or AppendFile.
func (a *Writer) Recovered() int64 { return a.recovered }

// Lost returns an error if rows that were flushed but not committed by the
// file's last Writer were damaged when Append opened it, so that the Writer
// continues before them. It is nil if nothing is known to be lost.
func (a *Writer) Lost() error { return a.w.Lost() }

func errNotGrowing(spec Spec) error {
	return &blosc2.OptionError{Option: "shape", Value: spec.Shape, Range: "Unknown in the first dimension"}
}
