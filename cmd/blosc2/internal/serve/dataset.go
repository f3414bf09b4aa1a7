package serve

import (
	"bytes"
	"errors"
	"io"
	"io/fs"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/meaning"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/names"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/zarr"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

// A dataset is an array, or the items of a frame or chunk as an array of one
// dimension. Its methods may be called by several goroutines.
type dataset struct {
	kind   string
	shape  []int64
	chunks []int64 // items of a chunk along each dimension, at least 1
	blocks []int64 // items of a block along each dimension
	dtype  meta.DType
	frame  *frame.Reader // nil if the dataset is not in a frame
	zarr   *zarrArray    // nil if the dataset is not a Zarr array
	said   names.Source  // metadata that the user stored, or nil
	line   *line         // nil if the dataset is an array
	read   func(dst []byte, w b2nd.Window) error
}

// A store holds several arrays under keys.
type store struct{ *tree.Store }

// These are the kinds of datasets. info uses the same names.
const (
	kindFrame = "frame"
	kindArray = "b2nd"
	kindChunk = "chunk"
	kindStore = "store"
)

// maxChunk is the largest file of a single chunk, in decoded bytes, that is shown.
// It is held in memory.
const maxChunk = 64 << 20

// options returns the options for opening the frames of a place.
func (c *cache) options(p *Place) []frame.Option {
	opts := []frame.Option{frame.UseCache(c.blocks)}
	if p.Check {
		opts = append(opts, frame.CheckWhole())
	}
	return opts
}

// handleOf opens the frame, store or chunk in a file.
func (c *cache) handleOf(r io.ReaderAt, size int64, closer io.Closer, opts []frame.Option) (*handle, error) {
	h := &handle{file: &shared{Closer: closer, at: r, users: 1}}
	fr, err := frame.Open(r, size, opts...)
	if err == nil && tree.KindOf(fr) != tree.KindEmbed {
		h.array, err = c.dataset(fr)
		return h, err
	}
	s, errStore := tree.Open(r, size, tree.FrameOptions(opts...))
	if errStore == nil {
		h.store = &store{s}
		return h, nil
	}
	if err == nil {
		return nil, statusf(415, "the store in the file cannot be read")
	}
	if d := chunkOf(r, size); d != nil {
		h.array = d
		return h, nil
	}
	var head [2]byte
	if _, errHead := r.ReadAt(head[:], 0); errHead == nil && string(head[:]) == "PK" {
		return nil, errStore // a zip file, which is a store
	}
	return nil, err
}

// folder opens a sparse frame, a store in a folder, or a Zarr array.
func (c *cache) folder(dir fs.FS, opts []frame.Option) (*handle, error) {
	if is, err := zarr.IsArray(dir, "."); is && err == nil {
		d, err := openZarr(dir, ".")
		return &handle{array: d}, err
	}
	if _, err := fs.Stat(dir, "chunks.b2frame"); err == nil {
		fr, err := frame.OpenFS(dir, opts...)
		if err != nil {
			return nil, err
		}
		d, err := c.dataset(fr)
		return &handle{array: d}, err
	}
	s, err := tree.OpenFS(dir, tree.FrameOptions(opts...))
	if err != nil {
		return nil, err
	}
	return &handle{store: &store{s}}, nil
}

// dataset returns the array in a frame or, if there is none, the frame's items.
func (c *cache) dataset(fr *frame.Reader) (*dataset, error) {
	_, isB2ND := fr.Metalayer(meta.B2NDName)
	_, isCaterva := fr.Metalayer(meta.CatervaName)
	if !isB2ND && !isCaterva {
		d := itemsOf(fr)
		return d, d.restrict()
	}
	a, err := b2nd.FromFrame(fr, b2nd.FrameOptions(frame.UseCache(c.blocks)))
	if err != nil {
		return nil, err
	}
	d := &dataset{kind: kindArray, shape: a.Shape(), dtype: a.DType(), frame: fr, said: fr, read: a.ReadWindow}
	d.chunks, d.blocks = atLeastOne(a.ChunkShape()), atLeastOne(a.BlockShape())
	if d.dtype.Kind == meta.Opaque {
		d.dtype = meta.DType{Kind: meta.Void, Order: '|', Size: a.ItemSize()}
	}
	return d, d.restrict()
}

// restrict replaces d.read by a function that fails for items that are not data.
func (d *dataset) restrict() (err error) {
	d.read, err = meaning.Restrict(d.frame, d.shape, d.chunks, d.read)
	return err
}

func atLeastOne(shape []int64) []int64 {
	out := make([]int64, len(shape))
	for i, n := range shape {
		out[i] = max(n, 1)
	}
	return out
}

// itemsOf returns the items of a frame that does not hold an array.
func itemsOf(fr *frame.Reader) *dataset {
	h := fr.Header()
	d := &dataset{kind: kindFrame, frame: fr, said: fr, dtype: voidType(int(h.TypeSize))}
	if b, ok := fr.Metalayer(meta.DTypeName); ok {
		said, _ := meta.Decode(b)
		text, _ := said.(string)
		if t, err := meta.ParseDType(text); err == nil && t.Size > 0 {
			d.dtype = t
		}
	}
	d.setLine(&line{fr, fr.Size(), int64(h.ChunkSize), int64(h.BlockSize)})
	return d
}

// voidType returns the type of items of n bytes without meaning; single bytes are
// numbers.
func voidType(n int) meta.DType {
	if n <= 1 {
		return meta.DType{Kind: meta.Uint, Order: '|', Size: 1}
	}
	return meta.DType{Kind: meta.Void, Order: '|', Size: n}
}

// A line is a sequence of bytes that hold consecutive items; sizes are in bytes.
type line struct {
	src                    io.ReaderAt
	size, chunkSize, block int64
}

// These are the default sizes in bytes, for a frame that does not state any.
const (
	usualChunk = 1 << 20
	usualBlock = 64 << 10
)

// setLine sets the shape and the reader to the items in a line.
func (d *dataset) setLine(l *line) {
	size := d.itemBytes()
	if l.chunkSize <= 0 { // the chunks have different sizes
		l.chunkSize = usualChunk
	}
	if l.block <= 0 {
		l.block = min(l.chunkSize, usualBlock)
	}
	d.line = l
	d.shape = []int64{l.size / size}
	d.chunks, d.blocks = []int64{max(l.chunkSize/size, 1)}, []int64{max(l.block/size, 1)}
	d.read = func(dst []byte, w b2nd.Window) error { return item.Read(dst, l.src, 0, w[0], size) }
}

// retyped returns the dataset with items of another type. Unless the dataset is a line,
// the type must have the same size.
func (d *dataset) retyped(text string) (*dataset, error) {
	t, err := meta.ParseDType(text)
	if err != nil || t.Size < 1 {
		return nil, badf("dtype %q: not a NumPy type", text)
	}
	as := *d
	as.dtype = t
	if d.line != nil {
		as.setLine(d.line)
		if d.frame != nil {
			return &as, as.restrict()
		}
	} else if t.Size != d.dtype.Size {
		return nil, badf("dtype %q: has items of %d bytes, the array has items of %d", text, t.Size, d.dtype.Size)
	}
	return &as, nil
}

// chunkOf returns the items of a file that is a single chunk, or nil.
func chunkOf(r io.ReaderAt, size int64) *dataset {
	if size > maxChunk {
		return nil
	}
	b := make([]byte, size)
	if _, err := r.ReadAt(b, 0); err != nil && err != io.EOF {
		return nil
	}
	h, err := chunk.ParseHeader(b)
	if err != nil || int64(h.CBytes) != size || h.NBytes > maxChunk {
		return nil
	}
	var dec chunk.Decoder
	items, err := dec.Decode(nil, b)
	if err != nil {
		return nil
	}
	d := &dataset{kind: kindChunk, dtype: voidType(h.TypeSize)}
	d.setLine(&line{bytes.NewReader(items), int64(len(items)), int64(h.NBytes), int64(h.BlockSize)})
	return d
}

// dataset returns the array at a key of a handle. The key "" is that of the file
// itself.
func (h *handle) dataset(c *cache, key string) (*dataset, error) {
	switch {
	case h.array != nil && key == "":
		return h.array, nil
	case h.members != nil:
		return h.members.dataset(key)
	case h.store == nil:
		return nil, errMissing
	}
	n, err := h.store.Node("/" + key)
	if errors.Is(err, fs.ErrNotExist) && key != "" {
		return h.column(key)
	}
	if err != nil {
		return nil, err
	}
	switch n.Kind() {
	case tree.KindGroup, tree.KindTable, tree.KindEmbed:
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "a %v is not an array", n.Kind())
	}
	fr, err := n.Frame()
	if err != nil {
		return nil, err
	}
	return c.dataset(fr)
}

// itemBytes returns the size of an item in bytes, at least 1.
func (d *dataset) itemBytes() int64 { return int64(max(d.dtype.Size, 1)) }

// blockBytes returns the decoded size of a block in bytes.
func (d *dataset) blockBytes() int64 { return product(d.blocks) * d.itemBytes() }

// chunkBytes returns the decoded size of a chunk in bytes.
func (d *dataset) chunkBytes() int64 { return product(d.chunks) * d.itemBytes() }

// product returns the product of the lengths, or the largest number if it
// overflows.
func product(ns []int64) int64 {
	p := int64(1)
	for _, n := range ns {
		p = mul(p, n)
	}
	return p
}

// mul returns a·b for numbers that are not negative, or the largest number if it
// overflows.
func mul(a, b int64) int64 {
	if a != 0 && b > (1<<63-1)/a {
		return 1<<63 - 1
	}
	return a * b
}
