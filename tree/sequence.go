package tree

import (
	"iter"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// An Objects reads an object array: item i is chunk i, one msgpack value.
type Objects struct {
	f     *frame.Reader
	depth int
}

// Objects opens an object array.
func (n *Node) Objects() (*Objects, error) {
	if n.kind != KindObjects {
		return nil, n.not("object array")
	}
	return &Objects{n.f, n.depth}, serializer(n.f, objectsName, "msgpack")
}

// serializer returns an error for a sequence with items that are encoded
// differently.
func serializer(f *frame.Reader, layer string, known ...string) error {
	m, err := layerMap(f, layer)
	if err != nil {
		return err
	}
	if v, _ := number(m, "version"); v != 1 {
		return blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "%s version %d; must be 1", layer, v)
	}
	s, _ := text(m, "serializer")
	for _, k := range known {
		if s == k {
			return nil
		}
	}
	return blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "%s with serializer %q", layer, s)
}

// Len returns the number of items.
func (o *Objects) Len() int64 { return o.f.NumChunks() }

// Item returns an item, as DecodeValue does.
func (o *Objects) Item(i int64) (any, error) {
	b, err := o.f.Chunk(nil, i)
	if err != nil {
		return nil, err
	}
	v, err := decodeValue(b, o.depth)
	return v, blosc2.At(err, i, -1)
}

// All yields the items in order. An error ends the sequence.
func (o *Objects) All() iter.Seq2[any, error] { return each(o.Len(), o.Item) }

func each(n int64, item func(int64) (any, error)) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for i := range n {
			v, err := item(i)
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// A Batches reads a batch array: batch i is chunk i, a chunk of variable-length
// blocks, each with a number of items.
type Batches struct {
	f     *frame.Reader
	arrow bool
	depth int
}

// Batches opens a batch array, or the one with the rows of a list array.
func (n *Node) Batches() (*Batches, error) {
	if n.kind != KindBatches && n.kind != KindList {
		return nil, n.not("batch array")
	}
	return newBatches(n.f, n.depth)
}

func newBatches(f *frame.Reader, depth int) (*Batches, error) {
	if err := serializer(f, batchesName, "msgpack", "arrow"); err != nil {
		return nil, err
	}
	m, err := layerMap(f, batchesName)
	if err != nil {
		return nil, err
	}
	s, _ := text(m, "serializer")
	return &Batches{f, s == "arrow", depth}, nil
}

// Len returns the number of batches.
func (b *Batches) Len() int64 { return b.f.NumChunks() }

// ItemsPerBlock returns how many items each block of a batch except its last holds,
// or 0 if unknown.
func (b *Batches) ItemsPerBlock() int64 {
	m, err := layerMap(b.f, batchesName)
	if err != nil {
		return 0
	}
	n, _ := number(m, "items_per_block")
	return n
}

// Arrow reports whether the blocks are Arrow IPC streams, which only Blocks
// returns, rather than msgpack.
func (b *Batches) Arrow() bool { return b.arrow }

// Lengths returns the number of items of each batch, or nil if not recorded.
func (b *Batches) Lengths() ([]int64, error) {
	m, err := vlMap(b.f, "_batch_array_metadata")
	if err != nil || m == nil {
		return nil, err
	}
	v, _ := m.Get("batch_lengths")
	list, ok := sequence(v)
	if !ok || int64(len(list)) != b.Len() {
		return nil, corrupt(blosc2.PartVLMeta, "lengths of %d batches, but there are %d", len(list), b.Len())
	}
	out := make([]int64, len(list))
	for i, v := range list {
		if out[i], ok = v.(int64); !ok || out[i] < 0 {
			return nil, corrupt(blosc2.PartVLMeta, "invalid length %v of batch %d", v, i)
		}
	}
	return out, nil
}

// Blocks calls each with the bytes of every block of a batch, in order; data is
// valid until each returns.
func (b *Batches) Blocks(i int64, each func(data []byte) error) error {
	h, err := b.f.ChunkHeader(i)
	if err != nil {
		return err
	}
	if !h.VLBlocks() {
		data, err := b.f.Chunk(nil, i)
		if err != nil {
			return err
		}
		return each(data)
	}
	c, err := b.f.RawChunk(nil, i)
	if err != nil {
		return err
	}
	var d chunk.Decoder
	framing.SetUp(&d, b.f.Header(), 0)
	var buf []byte
	for k := range h.BlockSize { // for such a chunk, BlockSize is the number of blocks
		if buf, err = d.DecodeVLBlock(buf[:0], c, k); err == nil {
			err = each(buf)
		}
		if err != nil {
			return blosc2.At(err, i, -1)
		}
	}
	return nil
}

// Batch returns the items of a batch, as DecodeValue does.
func (b *Batches) Batch(i int64) ([]any, error) {
	if b.arrow {
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "decoding batches of Arrow; Blocks returns their streams")
	}
	items := []any{}
	err := b.Blocks(i, func(data []byte) error {
		// The decoded values alias their input, which is overwritten.
		v, err := meta.Decode(append([]byte(nil), data...))
		if err != nil {
			return err
		}
		list, ok := v.([]any)
		if !ok {
			return corrupt(blosc2.PartBlock, "block of a batch is not a list")
		}
		for _, v := range list { // the list itself is not a tuple, regardless of its first item
			if v, err = typed(v, b.depth); err != nil {
				return err
			}
			items = append(items, v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return items, nil
}

// Items yields the items of all batches in order. An error ends the sequence.
func (b *Batches) Items() iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for i := range b.Len() {
			batch, err := b.Batch(i)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, v := range batch {
				if !yield(v, nil) {
					return
				}
			}
		}
	}
}

// A List reads a list array, in which rows are lists, or nil for null.
type List struct {
	Item meta.Map // describes an item of a list: see the schema of a table

	objects *Objects
	batches *Batches
}

// List opens a list array.
func (n *Node) List() (*List, error) {
	if n.kind != KindList {
		return nil, n.not("list array")
	}
	m, err := layerMap(n.f, listName)
	if err != nil {
		return nil, err
	}
	v, _ := m.Get("item")
	item, _ := v.(meta.Map)
	l := &List{Item: item}
	if _, ok := n.f.Metalayer(objectsName); ok {
		l.objects = &Objects{n.f, n.depth}
		return l, serializer(n.f, objectsName, "msgpack")
	}
	l.batches, err = newBatches(n.f, n.depth)
	return l, err
}

// Rows yields the rows: each a []any, or nil for null. An error ends the
// sequence.
func (l *List) Rows() iter.Seq2[any, error] {
	if l.objects != nil {
		return l.objects.All()
	}
	return l.batches.Items()
}

// Sequence returns the rows' storage; one of the results is nil. Item i, of all
// batches in order, is row i.
func (l *List) Sequence() (*Objects, *Batches) { return l.objects, l.batches }
