package b2nd

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// A Writer writes an array, whose bytes it receives in C order, as a frame. It
// holds one slab: the rows of one chunk. It is for one goroutine at a time.
type Writer struct {
	w    *stream.Writer
	grid *grid
	desc *meta.B2ND

	blockSize int64 // bytes for which the shape of blocks may still be chosen, or 0
	growing   bool
	inHeader  bool                    // the current shape is in the metalayer
	rows      int64                   // rows of the array, without those in slab
	logged    bool                    // the rows of an incomplete slab are in the file
	short     bool                    // the file has chunks of the current slab with fewer rows
	flushed   func(from int64) []byte // the method value rowsFrom, made once because it allocates
	recovered int64                   // see Recovered
	rowBuf    []byte
	rowGrid   *grid // grid of one row; nil if rows can be flushed without it

	slab   []byte // bytes of an incomplete slab
	full   int64  // bytes of a whole slab
	left   int64  // remaining bytes; unlimited for a growing array
	err    error
	source error // the source's error in ReadFrom: the array is not finished
	closed bool
	mover  mover
}

// NewWriter returns a Writer that writes the array described by spec to w: a
// file, a pipe, a socket or any other sink, as for stream.NewWriter. The
// options are those of stream.NewWriter, and override spec.Params; the array
// determines the typesize and the sizes of chunks and blocks. If stream.Auto is
// among them and spec has no BlockShape, the shape of blocks depends on the first
// rows.
//
// An array whose first dimension is Unknown gets its final shape at Close: in
// the header, or, if that cannot be rewritten, in a vlmetalayer b2nd, which
// Open and frame.Seal read.
func NewWriter(w io.Writer, spec Spec, opts ...stream.WriterOption) (*Writer, error) {
	g, desc, err := spec.plan()
	if err != nil {
		return nil, err
	}
	value, err := desc.Append(nil)
	if err != nil {
		return nil, err
	}
	sw, err := stream.NewWriter(w, append(spec.withSizes(opts, g, desc), stream.Metalayer(meta.B2NDName, value))...)
	if err != nil {
		return nil, err
	}
	a := &Writer{w: sw, grid: g, desc: desc, full: g.item, left: g.items() * g.item}
	if spec.BlockShape == nil {
		_, a.blockSize = spec.sizes()
	}
	if len(g.shape) > 0 {
		a.full = mul(mul(g.chunk[0], product(g.shape[1:])), g.item)
		a.growing = spec.Shape[0] == Unknown
	}
	if a.growing {
		a.left = 1<<63 - 1
		if a.full == 0 {
			return nil, &blosc2.OptionError{Option: "shape", Value: spec.Shape, Range: "known if rows have no items"}
		}
	}
	if int64(int(a.full)) != a.full {
		return nil, &blosc2.OptionError{Option: "chunkshape", Value: desc.ChunkShape, Range: "small enough for the rows of a chunk to fit into memory"}
	}
	return a, nil
}

// Write writes the next bytes of the array. More bytes than the shape holds return a
// *blosc2.OptionError, after those that it holds were written.
func (a *Writer) Write(p []byte) (n int, err error) {
	if err := a.ready(); err != nil {
		return 0, err
	}
	var over error
	if rest := a.left - int64(len(a.slab)); int64(len(p)) > rest {
		over = &blosc2.OptionError{Option: "bytes to write", Value: len(p), Range: fmt.Sprintf("at most %d, the rest of an array of shape %v", rest, a.grid.shape)}
		p = p[:rest]
	}
	for len(p) > 0 {
		want := a.slabBytes()
		// A whole slab in p is written without copying it.
		if len(a.slab) == 0 && int64(len(p)) >= want {
			if err := a.put(p[:want]); err != nil {
				return n, err
			}
			n += int(want)
			p = p[want:]
			continue
		}
		k := min(int(want)-len(a.slab), len(p))
		a.slab = append(a.room(want), p[:k]...)
		n += k
		p = p[k:]
		if err := a.flushSlab(want); err != nil {
			return n, err
		}
	}
	return n, over
}

// slabBytes returns the bytes of the current slab; the last one may be short.
func (a *Writer) slabBytes() int64 { return min(a.full, a.left) }

// room returns the slab with the capacity that it needs.
func (a *Writer) room(want int64) []byte {
	if int64(cap(a.slab)) < want {
		a.slab = append(make([]byte, 0, want), a.slab...)
	}
	return a.slab
}

// flushSlab writes the slab if it is whole.
func (a *Writer) flushSlab(want int64) error {
	if int64(len(a.slab)) < want {
		return nil
	}
	err := a.put(a.slab)
	a.slab = a.slab[:0]
	return err
}

// put writes the chunks of one slab.
func (a *Writer) put(slab []byte) error {
	if a.err = a.divide(slab); a.err != nil {
		return a.err
	}
	g := a.grid
	a.left -= int64(len(slab))
	rows := int64(1)
	if len(g.shape) > 0 {
		rows = int64(len(slab)) / (a.full / g.chunk[0])
	}
	if err := a.flushShort(slab); err != nil {
		return err
	}
	if a.growing {
		g.shape[0] = a.rows + rows
		g.nchunks[0] = ceilDiv(g.shape[0], g.chunk[0])
	}
	perSlab, first := int64(1), int64(0)
	if len(g.shape) > 0 {
		perSlab = product(g.nchunks[1:])
		first = a.rows / g.chunk[0] * perSlab
	}
	for i := first; i < first+perSlab; i++ {
		if a.err = a.w.WriteChunk(func(chunk []byte) error {
			g.gather(&a.mover, chunk, slab, i, a.rows)
			return nil
		}); a.err != nil {
			return a.err
		}
	}
	a.rows += rows
	return nil
}

// ready returns the error that ended the Writer.
func (a *Writer) ready() error {
	if a.closed {
		return blosc2.ErrClosed
	}
	return cmp.Or(a.err, a.source)
}

// Flush writes the whole rows of a growing array to its file, so that they
// survive the death of the process, at the cost of the new rows: Open reads
// them, and AppendFile continues after them. To any other sink, and for an
// array of known shape, it writes whole slabs, each the rows of one chunk, and
// the rest stays in the Writer. If the Writer dies, a growing array has these
// slabs when opened with frame.AllowTorn or after frame.Repair; after Finish
// C-Blosc2 reads them too.
func (a *Writer) Flush() error {
	if err := a.ready(); err != nil {
		return err
	}
	if a.err = a.flushRows(false); a.err == nil {
		a.err = a.w.Flush()
	}
	return a.err
}

// Checkpoint makes all flushed data a sealed frame, which survives a crash of
// the machine and which C-Blosc2 reads, as stream.Writer.Checkpoint does. An
// array of known shape can be read only when it is complete.
func (a *Writer) Checkpoint() error {
	if err := a.ready(); err != nil {
		return err
	}
	if a.err = a.flushRows(false); a.err == nil {
		a.err = a.setShape()
	}
	if a.err == nil {
		err := a.w.Checkpoint()
		if errors.Is(err, errors.ErrUnsupported) { // the sink does not support it, and has not changed
			return err
		}
		a.err = err
	}
	return a.err
}

// SetVLMeta sets a vlmetalayer to raw bytes, until Close. Python-blosc2 reads
// only msgpack, which SetVLMetaValue writes.
func (a *Writer) SetVLMeta(name string, value []byte) error { return a.w.SetVLMeta(name, value) }

// Shape returns the current shape. It counts the rows of an incomplete slab if
// the array is in a file, after the first Flush, Checkpoint or Append.
func (a *Writer) Shape() []int64 {
	shape := append([]int64(nil), a.grid.shape...)
	if a.logged {
		shape[0] = a.rows + a.slabRows()
	}
	return shape
}

// Sealed reports whether the frame is complete for C-Blosc2, after Close.
func (a *Writer) Sealed() bool { return a.w.Sealed() }

// Stats returns the statistics of the underlying stream.
func (a *Writer) Stats() stream.Stats { return a.w.Stats() }

// Chosen returns the parameters of the last chunk that was submitted, as
// [stream.Writer.Chosen] does.
func (a *Writer) Chosen() tune.Pick { return a.w.Chosen() }

// setShape writes the shape of a growing array to the metalayer.
func (a *Writer) setShape() error {
	if !a.growing || a.logged { // the Log sets the shape
		return nil
	}
	a.desc.Shape = a.grid.shape
	value, err := a.desc.Append(nil)
	if err != nil {
		return err
	}
	if a.inHeader, err = framing.Rows(a.w).UpdateMetalayer(meta.B2NDName, value); err == nil && !a.inHeader {
		err = a.w.SetVLMeta(meta.B2NDName, value)
	}
	return err
}

// missing returns an error that says what the array lacks, or nil if it is
// complete.
func (a *Writer) missing() error {
	if !a.growing {
		if a.left > 0 {
			return fmt.Errorf("b2nd: the array lacks its last %d bytes: %w", a.left-int64(len(a.slab)), io.ErrUnexpectedEOF)
		}
		return nil
	}
	row := a.full / a.grid.chunk[0]
	if rest := int64(len(a.slab)) % row; rest != 0 {
		return fmt.Errorf("b2nd: the last row lacks %d of its %d bytes: %w", row-rest, row, io.ErrUnexpectedEOF)
	}
	return nil
}

func (a *Writer) finish() error {
	switch err := a.missing(); {
	case err != nil && len(a.grid.shape) > 0 && a.rows+a.slabRows() == 0:
		return fmt.Errorf("%w; no row is complete", err)
	case err != nil && len(a.grid.shape) > 0:
		return fmt.Errorf("%w; CloseRows, in place of Close, ends it after its last complete row", err)
	case err != nil || !a.growing:
		return err
	}
	if len(a.slab) == 0 {
		return a.setShape()
	}
	whole := a.rows == 0 && !a.logged // the slab is the array, and no row is in the sink
	if whole {
		// The header is not written yet, unless a Flush sent it. So it gets the final shape,
		// and the parameters that Auto chooses for the slab.
		a.grid.shape[0] = a.slabRows()
		if err := a.setShape(); err != nil {
			return err
		}
	} else if err := a.flushRows(true); err != nil {
		return err
	}
	if err := a.put(a.slab); err != nil {
		return err
	}
	a.slab = a.slab[:0]
	if whole {
		return nil
	}
	return a.setShape()
}
