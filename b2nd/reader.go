package b2nd

import (
	"io"
	"slices"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/items"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// A Reader reads an array front to back, in C order and without padding, from any
// io.Reader: a file, a pipe, a socket. Besides the chunks of a stream.Reader it
// holds one slab: the rows of one chunk, along the first dimension in which the
// chunk has more than one item.
//
// It is for one goroutine at a time, but Close may be called by another to
// interrupt it. Errors are sticky, and every byte returned before an error is
// valid. A Reader that has reached the end or returned an error need not be closed.
type Reader struct {
	r     *stream.Reader
	h     *header.Header
	grid  *grid
	desc  *meta.B2ND
	dtype meta.DType
	text  string // dtype as NumPy writes it
	slabs slabs

	growing bool   // more slabs may follow than the shape has
	unknown bool   // the first dimension is unknown
	surplus bool   // chunks of an incomplete slab may follow
	done    int64  // slabs read so far
	count   int64  // slabs in the shape
	held    []byte // the next chunk, if it has been read already
	whole   []byte // a chunk that is assembled from pieces
	slab    []byte
	out     []byte // the part of the slab that has not been returned yet
	mover   mover
	err     error
	closed  atomic.Bool
}

// NewReader waits for the header of the frame in r, and returns a Reader of the
// array in it: one with a metalayer b2nd, in any of its forms, or caterva. From
// a source that cannot seek it reads no byte after the frame, so that another
// may follow.
//
// Sources, frames that are not in order, and errors are as for
// stream.NewReader; a frame without an array results in blosc2.ErrUnsupported. The
// options are Workers, MaxAlloc, which limits the slab to DefaultSlab unless
// given, and StreamOptions.
//
// If an array grows while it is sent, its first dimension is Unknown until the
// end. The last slab may have fewer rows than a chunk, and only the end shows
// how many, so each slab is returned when the next one begins, unless the
// chunks have one row each.
func NewReader(r io.Reader, opts ...Option) (*Reader, error) {
	cfg := config{memory: DefaultSlab}
	for _, o := range opts {
		if o != nil {
			o(&cfg)
		}
	}
	if cfg.workers != 0 {
		cfg.stream = append([]stream.ReaderOption{stream.Workers(cfg.workers)}, cfg.stream...)
	}
	zr, err := stream.NewReader(r, append(cfg.stream, stream.SingleFrame())...)
	if err != nil {
		return nil, err
	}
	a := &Reader{r: zr}
	if err := a.begin(cfg.memory); err != nil {
		zr.Close()
		return nil, err
	}
	return a, nil
}

// StreamOptions sets the options of the stream.Reader that a Reader uses. Open ignores
// them.
func StreamOptions(opts ...stream.ReaderOption) Option {
	return func(c *config) { c.stream = append(c.stream, opts...) }
}

// Shape returns the number of items along each dimension. The first is Unknown
// for an array that grows while it is read, until the end.
func (a *Reader) Shape() []int64 {
	shape := slices.Clone(a.grid.shape)
	if a.unknown {
		shape[0] = Unknown
	}
	return shape
}

// DType returns the type of the items; its Kind is Opaque if it is not
// understood.
func (a *Reader) DType() meta.DType { return a.dtype }

// ItemSize returns the number of bytes of an item.
func (a *Reader) ItemSize() int { return int(a.grid.item) }

// Spec returns the Spec of an array like this one: see Array.Spec.
func (a *Reader) Spec() Spec {
	s := specOf(a.grid, a.desc, a.dtype, a.h)
	s.Shape = a.Shape()
	return s
}

// Stream returns the Reader of the frame, for its metalayers and statistics.
// Reading from it skips data of the array.
func (a *Reader) Stream() *stream.Reader { return a.r }

// Read reads the next bytes of the array. At the end it checks the shape and
// returns io.EOF.
func (a *Reader) Read(p []byte) (n int, err error) {
	if a.closed.Load() {
		return 0, blosc2.ErrClosed
	}
	if len(p) == 0 {
		return 0, nil
	}
	for len(a.out) == 0 {
		if n, err = a.next(p); n > 0 || err != nil {
			return n, err
		}
	}
	n = copy(p, a.out)
	a.out = a.out[n:]
	return n, nil
}

// WriteTo writes the rest of the array to w, slab by slab.
func (a *Reader) WriteTo(w io.Writer) (n int64, err error) {
	for {
		if a.closed.Load() {
			return n, blosc2.ErrClosed
		}
		if len(a.out) == 0 {
			if _, err := a.next(nil); err == io.EOF {
				return n, nil
			} else if err != nil {
				return n, err
			}
			continue
		}
		k, err := w.Write(a.out)
		n += int64(k)
		if err == nil && k < len(a.out) {
			err = io.ErrShortWrite
		}
		a.out = a.out[k:]
		if err != nil {
			return n, err
		}
	}
}

// ReadSlice fills s with items in C order, and reads fewer only at the end. It returns
// the number of items, and io.EOF if it reads none. T is as for Read: any type other than
// the array's returns a *blosc2.OptionError.
func ReadSlice[T any](r *Reader, s []T) (n int, err error) {
	t, err := items.Of[T]()
	if err != nil {
		return 0, err
	}
	plan, err := t.PlanOf(&r.dtype, r.text, false, "the array's type")
	if err != nil || len(s) == 0 {
		return 0, err
	}
	return plan.Read(r, items.Bytes(s))
}

// Close ends the Reader and its goroutines; it does not close the source. See
// stream.Reader.Close.
func (a *Reader) Close() error {
	a.closed.Store(true)
	return a.r.Close()
}
