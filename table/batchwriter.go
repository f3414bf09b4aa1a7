package table

import (
	"reflect"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tree"
)

const (
	batchRows     = 2048 // largest number of items of a batch
	itemsPerBlock = 256
)

// A batchWriter writes a batch array, or a list array on one: a chunk for each
// batch, and a block of variable length for a group of its items.
type batchWriter struct {
	b       *frame.Builder
	enc     *chunk.Encoder
	spool   fsio.Spool
	out     []byte // the last encoded chunk
	items   []any
	lengths []any
}

func newBatchWriter(s *Spec) (*batchWriter, error) {
	layers, err := batchLayers(s)
	if err != nil {
		return nil, err
	}
	p := chunk.Params{Codec: blosc2.CodecZstd, Level: 5, TypeSize: 1, Filters: chunk.Default().Filters}
	w := &batchWriter{spool: fsio.Spool{Limit: spoolMemory}}
	if w.enc, err = chunk.NewEncoder(p); err != nil {
		return nil, err
	}
	h := &header.Header{TypeSize: 1, VariableChunks: true, VLBlocks: true, Version: 3, Codec: p.Codec, Level: uint8(p.Level), Filters: p.Filters, Layers: layers}
	if w.b, err = frame.NewBuilder(h, frame.NoMark()); err != nil {
		return nil, err
	}
	if w.out, err = w.b.AppendHeader(nil); err == nil {
		_, err = w.spool.Write(w.out)
	}
	return w, err
}

// batchLayers returns the metalayers that describe the array.
func batchLayers(s *Spec) ([]meta.Layer, error) {
	batch := meta.Map{{Key: "version", Value: 1}, {Key: "serializer", Value: "msgpack"}, {Key: "items_per_block", Value: itemsPerBlock}, {Key: "arrow_schema", Value: nil}}
	name, own := "ctable_varlen_scalar", meta.Map{
		{Key: "version", Value: 1}, {Key: "py_type", Value: map[Kind]string{VLString: "str", VLBytes: "bytes"}[s.Kind]},
		{Key: "nullable", Value: s.Nullable}, {Key: "batch_rows", Value: batchRows},
	}
	if s.Kind == List {
		name, own = "listarray", meta.Map{
			{Key: "version", Value: 1}, {Key: "kind", Value: "list"}, {Key: "item", Value: s.Item.json()}, {Key: "nullable", Value: s.Nullable},
			{Key: "serializer", Value: "msgpack"}, {Key: "batch_rows", Value: batchRows}, {Key: "backend", Value: "batch"},
		}
	}
	var layers []meta.Layer
	for _, l := range []struct {
		name string
		v    meta.Map
	}{{name, own}, {"batcharray", batch}} {
		b, err := tree.EncodeValue(nil, l.v)
		if err != nil {
			return nil, err
		}
		layers = append(layers, meta.Layer{Name: l.name, Value: b})
	}
	return layers, nil
}

// appendItems adds values; nil means null.
func appendItems[T any](w *batchWriter, v []T, isNull func(int) bool) error {
	for i := range v {
		var item any
		if !isNull(i) {
			item = v[i]
			if b, ok := item.([]byte); ok {
				item = append([]byte{}, b...) // the caller may change it before it is written
			}
		}
		if err := w.add(item); err != nil {
			return err
		}
	}
	return nil
}

func (w *batchWriter) add(v any) error {
	if w.items = append(w.items, v); len(w.items) < batchRows {
		return nil
	}
	return w.flush()
}

// flush writes the batch.
func (w *batchWriter) flush() error {
	n := len(w.items)
	if n == 0 {
		return nil
	}
	var blocks [][]byte
	size := 0
	for from := 0; from < n; from += itemsPerBlock {
		b, err := tree.EncodeValue(nil, w.items[from:min(from+itemsPerBlock, n)])
		if err != nil {
			return err
		}
		blocks = append(blocks, b)
		size += len(b)
	}
	var err error
	if w.out, err = w.enc.EncodeBlocks(w.out[:0], blocks); err != nil {
		return err
	}
	if err := w.b.AddChunk(size, len(w.out)); err != nil {
		return err
	}
	if _, err := w.spool.Write(w.out); err != nil {
		return err
	}
	w.lengths = append(w.lengths, n)
	w.items = w.items[:0]
	return nil
}

// finish returns the frame, which is valid until the spool is closed.
func (w *batchWriter) finish(key string) (tree.Item, error) {
	if err := w.flush(); err != nil {
		return tree.Item{}, err
	}
	if len(w.lengths) == 0 {
		b, err := w.b.AppendEmpty(nil)
		return tree.Bytes(key, b), err
	}
	lengths, err := tree.EncodeValue(nil, meta.Map{{Key: "batch_lengths", Value: w.lengths}})
	if err != nil {
		return tree.Item{}, err
	}
	if err := w.b.SetVLMeta("_batch_array_metadata", lengths); err != nil {
		return tree.Item{}, err
	}
	if w.out, err = w.b.AppendTail(w.out[:0]); err != nil {
		return tree.Item{}, err
	}
	if _, err := w.spool.Write(w.out); err != nil {
		return tree.Item{}, err
	}
	head, err := w.b.AppendSealed(w.out[:0])
	if err == nil {
		_, err = w.spool.WriteAt(head, 0)
	}
	return tree.Item{Key: key, Frame: &w.spool, Length: w.spool.Size()}, err
}

// lenOf returns the length of a slice.
func lenOf(v any) int { return reflect.ValueOf(v).Len() }
