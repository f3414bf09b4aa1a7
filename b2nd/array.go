package b2nd

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// An Array reads an n-dimensional array. Its methods may be called by several
// goroutines if the source's methods may.
type Array struct {
	f     *frame.Reader
	grid  *grid
	desc  *meta.B2ND
	dtype meta.DType
	text  string // dtype as NumPy writes it
	plain bool   // chunks are in C order, without blocks: caterva before 0.4
	grown bool   // the array includes slabs that its Writer flushed before it died
	cfg   config
	cache *frame.BlockCache
	close func() error
}

type config struct {
	frame   []frame.Option
	stream  []stream.ReaderOption
	workers int
	memory  int64
	cache   int64
	keep    bool
}

// An Option changes how an array is opened. Nil options are ignored.
type Option func(*config)

// Workers sets how many chunks are decompressed concurrently. 0, the default,
// means GOMAXPROCS, which is also the maximum.
func Workers(n int) Option { return func(c *config) { c.workers = n } }

// MaxAlloc limits the bytes that a method may allocate for what it returns, and
// those of a Reader's slab; DefaultMaxAlloc and DefaultSlab unless given. A
// file of a few hundred bytes may hold a terabyte of zeros.
func MaxAlloc(bytes int64) Option { return func(c *config) { c.memory = bytes } }

// Cache sets how many bytes of decoded blocks the array keeps; DefaultCache
// unless given, 0 for none. At, and reads of windows of less than 256 KiB, take
// recently read blocks from the cache. It is allocated as blocks are read.
// Larger windows bypass it. With FrameOptions(frame.UseCache(c)) the array uses
// c, which it may share with other arrays.
func Cache(bytes int64) Option { return func(c *config) { c.cache = bytes } }

// The default limits, in bytes.
const (
	DefaultCache    = 4 << 20  // bytes of an Array's cache: see Cache
	DefaultMaxAlloc = 16 << 30 // bytes of a result of an Array: see MaxAlloc
	DefaultSlab     = 1 << 30  // bytes of a Reader's slab: see MaxAlloc
)

// FrameOptions sets the options for the frame that holds the array.
func FrameOptions(opts ...frame.Option) Option {
	return func(c *config) { c.frame = append(c.frame, opts...) }
}

// Open opens the array in the frame at the beginning of r, which holds size
// bytes: one with a metalayer b2nd, in any of its forms, or caterva.
//
// Errors are those of frame.Open; a frame without an array results in
// blosc2.ErrUnsupported.
func Open(r io.ReaderAt, size int64, opts ...Option) (*Array, error) {
	cfg := newConfig(opts)
	f, err := frame.Open(r, size, cfg.frame...)
	if err != nil {
		return nil, unfinished(err)
	}
	return open(f, cfg)
}

// unfinished adds advice to the error of frame.Open for a frame that ends early.
func unfinished(err error) error {
	var fe *blosc2.FormatError
	if errors.Is(err, io.ErrUnexpectedEOF) && errors.As(err, &fe) && fe.Part != blosc2.PartHeader {
		return fmt.Errorf("%w; the array is truncated or not finished: frame.Repair and then Finish keep its complete rows, if there are any", err)
	}
	return err
}

// FromFrame opens the array in an open frame, such as one in a directory.
func FromFrame(f *frame.Reader, opts ...Option) (*Array, error) {
	if err := framing.Need(f != nil, "frame", "an open frame"); err != nil {
		return nil, err
	}
	return open(f, newConfig(opts))
}

func newConfig(opts []Option) config {
	cfg := config{memory: DefaultMaxAlloc, cache: DefaultCache}
	for _, o := range opts {
		if o != nil {
			o(&cfg)
		}
	}
	return cfg
}

func open(f *frame.Reader, cfg config) (*Array, error) {
	if cfg.workers < 0 {
		return nil, &blosc2.OptionError{Option: "workers", Value: cfg.workers, Range: "0 (automatic) or more"}
	}
	if most := runtime.GOMAXPROCS(0); cfg.workers == 0 || cfg.workers > most {
		cfg.workers = most
	}
	a := &Array{f: f, cfg: cfg, cache: f.Cache()}
	if a.cache == nil && cfg.cache > 0 {
		a.cache = frame.NewBlockCache(cfg.cache)
	}
	var err error
	if a.desc, a.plain, err = describe(f); err != nil {
		return nil, err
	}
	item := itemSize(f, a.desc)
	if a.grid, err = newGrid(a.desc.Shape, a.desc.ChunkShape, a.desc.BlockShape, item); err != nil {
		return nil, err
	}
	if rows, ok := f.Rows(); ok && len(a.desc.Shape) > 0 {
		if a.desc, a.grid, err = withRows(a.desc, rows, item); err != nil {
			return nil, err
		}
	}
	a.desc, a.grid, a.grown = flushed(f, a.desc, a.grid)
	if n := f.NumChunks(); a.grid.chunks() != n && !a.grown {
		advice := ""
		if n < a.grid.chunks() && f.Order() != frame.ByIndex {
			advice = "; if it is not finished, Finish keeps its complete rows"
			if n < product(a.grid.nchunks[1:]) {
				advice = "; if it is not finished, none of its rows is complete"
			}
		}
		return nil, shapeErrorf("shape %v in chunks of %v needs %d chunks, the frame has %d%s", a.desc.Shape, a.desc.ChunkShape, a.grid.chunks(), n, advice)
	}
	if f.NumChunks() > 0 && f.Size() != f.NumChunks()*a.grid.chunkBytes {
		return nil, shapeErrorf("%d chunks of %d bytes, but the frame has %d bytes", f.NumChunks(), a.grid.chunkBytes, f.Size())
	}
	a.dtype = a.desc.ItemType(int(item))
	a.text = a.dtype.String()
	return a, nil
}

// describe determines which array a frame holds.
func describe(f *frame.Reader) (desc *meta.B2ND, plain bool, err error) {
	if b, ok := f.Metalayer(meta.B2NDName); ok {
		desc, err := meta.ParseB2ND(b)
		if err != nil {
			return nil, false, err
		}
		// The header of an array that was streamed with an unknown length has 0
		// rows, or those of a Checkpoint. The final descriptor follows the
		// data.
		if len(desc.Shape) > 0 && f.NumChunks() > chunksOf(desc) {
			if desc, err = finalShape(f, desc); err != nil {
				return nil, false, err
			}
		}
		return desc, false, nil
	}
	b, ok := f.Metalayer(meta.CatervaName)
	if !ok {
		return nil, false, errNoArray()
	}
	c, err := meta.ParseCaterva(b)
	if err != nil {
		return nil, false, err
	}
	blocksize := int(f.Header().BlockSize)
	if f.NumChunks() > 0 {
		h, err := f.ChunkHeader(0)
		if err != nil {
			return nil, false, err
		}
		blocksize = h.BlockSize
	}
	desc, plain = c.B2ND(int(f.Header().TypeSize), blocksize)
	return desc, plain, nil
}

func errNoArray() error {
	return blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "the frame is not an array: it has no metalayer %s or %s", meta.B2NDName, meta.CatervaName)
}

// finalShape takes the descriptor from the vlmetalayer b2nd, if there is one.
func finalShape(f *frame.Reader, head *meta.B2ND) (*meta.B2ND, error) {
	b, ok, err := f.VLMeta(meta.B2NDName)
	if err != nil || !ok {
		return head, err
	}
	return lastShape(b, head)
}

// lastShape parses the descriptor that follows the data, which may differ from
// the header's only in the first dimension.
func lastShape(b []byte, head *meta.B2ND) (*meta.B2ND, error) {
	last, err := meta.ParseB2ND(b)
	if err != nil {
		return nil, err
	}
	if len(last.Shape) != len(head.Shape) || !slices.Equal(last.Shape[1:], head.Shape[1:]) ||
		!slices.Equal(last.ChunkShape, head.ChunkShape) || !slices.Equal(last.BlockShape, head.BlockShape) {
		return nil, shapeErrorf("metalayer and vlmetalayer describe different arrays")
	}
	return last, nil
}

// Shape returns the number of items along each dimension. The caller must not
// change it.
func (a *Array) Shape() []int64 { return a.grid.shape }

// ChunkShape returns the number of items of a chunk along each dimension.
func (a *Array) ChunkShape() []int64 { return slices.Clone(a.grid.chunk) }

// BlockShape returns the number of items of a block along each dimension.
func (a *Array) BlockShape() []int64 { return slices.Clone(a.grid.block) }

// DType returns the type of the items; Opaque if it is unknown.
func (a *Array) DType() meta.DType { return a.dtype }

// Descriptor returns the contents of the metalayer, converted if it was
// caterva's. It must not be changed.
func (a *Array) Descriptor() *meta.B2ND { return a.desc }

// ItemSize returns the number of bytes of an item.
func (a *Array) ItemSize() int { return int(a.grid.item) }

// Len returns the number of items.
func (a *Array) Len() int64 { return a.grid.items() }

// Size returns the size of all items in bytes.
func (a *Array) Size() int64 { return a.grid.items() * a.grid.item }

// Frame returns the frame that holds the array, with its metalayers.
func (a *Array) Frame() *frame.Reader { return a.f }

// Close closes the file of an array that OpenFile opened. It does nothing for
// any other.
func (a *Array) Close() error {
	if a.close == nil {
		return nil
	}
	return a.close()
}

// chunksOf returns how many chunks an array of the given shape has.
func chunksOf(desc *meta.B2ND) int64 {
	n := int64(1)
	for d, s := range desc.Shape {
		if c := int64(desc.ChunkShape[d]); s > 0 && c > 0 {
			n = mul(n, ceilDiv(s, c))
		} else {
			n = 0
		}
	}
	return n
}
