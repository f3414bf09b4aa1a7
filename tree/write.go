package tree

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// An Item is a frame to be stored in a store.
type Item struct {
	Key    string      // such as "/run1/x"
	Frame  io.ReaderAt // a sealed frame, beginning at offset 0
	Length int64       // bytes of the frame
}

// Bytes returns an Item of a frame in memory.
func Bytes(key string, frame []byte) Item {
	return Item{key, bytes.NewReader(frame), int64(len(frame))}
}

// A Contents describes the contents of a new store.
type Contents struct {
	Items []Item

	// Metadata is the metadata of groups, by key, "/" for the root. Values are
	// those of EncodeValue.
	Metadata map[string]meta.Map

	// Tables lists the keys of the groups that are tables, "/" for a store that
	// is one table: see package table.
	Tables []string

	// Dict selects a DictStore, without metadata and tables, instead of a
	// TreeStore.
	Dict bool
}

// A member is a file of a store.
type member struct {
	name   string
	r      io.ReaderAt
	length int64
}

// frames returns all frames, including those with the metadata of groups, by key.
func (c *Contents) frames() ([]Item, error) {
	if c.Dict && len(c.Metadata)+len(c.Tables) > 0 {
		return nil, &blosc2.OptionError{Option: "Metadata or Tables", Value: "some", Range: "empty for a DictStore"}
	}
	items := slices.Clone(c.Items)
	for group, m := range c.Metadata {
		f, err := EmptyFrame(m)
		if err != nil {
			return nil, err
		}
		items = append(items, Bytes(strings.TrimSuffix(group, "/")+"/"+metadataName, f))
	}
	slices.SortFunc(items, func(a, b Item) int { return cmp.Compare(a.Key, b.Key) })
	for i, it := range items {
		if err := checkKey(it.Key); err != nil {
			return nil, err
		}
		if i > 0 && it.Key == items[i-1].Key {
			return nil, &blosc2.OptionError{Option: "key", Value: it.Key, Range: "unique"}
		}
		if i > 0 && strings.HasPrefix(it.Key, items[i-1].Key+"/") {
			return nil, &blosc2.OptionError{Option: "key", Value: items[i-1].Key, Range: "a leaf, not the group of another key"}
		}
	}
	for _, t := range c.Tables {
		if t != "/" {
			if err := checkKey(t); err != nil {
				return nil, err
			}
		}
	}
	return items, nil
}

// members lists the files of a store in the order in which they are written:
// the largest first, embed.b2e last.
func (c *Contents) members() ([]member, error) {
	items, err := c.frames()
	if err != nil {
		return nil, err
	}
	var out []member
	for _, it := range items {
		m, err := memberOf(it)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	slices.SortStableFunc(out, func(a, b member) int { return cmp.Compare(b.length, a.length) })
	root := treeName
	if c.Dict {
		root = dictName
	}
	embed, err := embedFrame(root, nil, c.Tables)
	if err != nil {
		return nil, err
	}
	return append(out, member{embedFile, bytes.NewReader(embed), int64(len(embed))}), nil
}

// memberOf returns the file of an item, after checking that it is a frame that
// C-Blosc2 reads.
func memberOf(it Item) (member, error) {
	f, err := frame.Open(it.Frame, it.Length)
	if err != nil {
		return member{}, err
	}
	if f.Order() == frame.Unsealed || f.Open() || f.FrameLen() != it.Length {
		return member{}, &blosc2.OptionError{Option: "frame " + it.Key, Value: f.Order(), Range: "a single sealed frame without bytes after it"}
	}
	return member{it.Key[1:] + suffixOf(KindOf(f)), it.Frame, it.Length}, nil
}

// suffixOf returns the suffix of a leaf's file.
func suffixOf(k Kind) string {
	switch k {
	case KindArray, KindRecipe, KindProxy:
		return ".b2nd"
	case KindBatches, KindList:
		return ".b2b"
	case KindEmbed:
		return ".b2e"
	}
	return ".b2f"
}

// EmptyFrame returns a frame without data, with the vlmetalayers m. Stores keep
// metadata in such frames. Values are those of EncodeValue.
func EmptyFrame(m meta.Map) ([]byte, error) {
	b, err := newBuilder(nil)
	if err != nil {
		return nil, err
	}
	for _, p := range m {
		name, ok := p.Key.(string)
		if !ok {
			return nil, &blosc2.OptionError{Option: "name of metadata", Value: p.Key, Range: "a string"}
		}
		v, err := EncodeValue(nil, p.Value)
		if err != nil {
			return nil, err
		}
		if err := b.SetVLMeta(name, v); err != nil {
			return nil, err
		}
	}
	return b.AppendEmpty(nil)
}

// newBuilder starts a frame of bytes as python-blosc2 makes it.
func newBuilder(layers []meta.Layer) (*frame.Builder, error) {
	h := &header.Header{TypeSize: 1, ChunkSize: embedChunk, Codec: blosc2.CodecZstd, Level: 5, Filters: chunk.Default().Filters, Layers: layers}
	return frame.NewBuilder(h, frame.NoMark())
}

// embedChunk is the size of the chunks of a store in a single frame.
const embedChunk = 8192

// embedFrame makes the frame of a store with the given metalayer. It holds the
// items and the names of the tables.
func embedFrame(layer string, items []Item, tables []string) ([]byte, error) {
	version, err := EncodeValue(nil, meta.Map{{Key: "version", Value: 1}})
	if err != nil {
		return nil, err
	}
	b, err := newBuilder([]meta.Layer{{Name: layer, Value: version}})
	if err != nil {
		return nil, err
	}
	places, at := meta.Map{}, int64(0)
	for _, it := range items {
		places = append(places, meta.Pair{Key: it.Key, Value: meta.Map{{Key: "offset", Value: at}, {Key: "length", Value: it.Length}}})
		at += it.Length
	}
	if err := setValue(b, valuesName, meta.Map{{Key: "embed_map", Value: places}, {Key: "current_offset", Value: at}}); err != nil {
		return nil, err
	}
	if len(tables) > 0 {
		registry := meta.Map{}
		for _, key := range tables {
			registry = append(registry, meta.Pair{Key: key, Value: tableEntry()})
		}
		if err := setValue(b, registryName, registry); err != nil {
			return nil, err
		}
	}
	if len(items) == 0 {
		return b.AppendEmpty(nil)
	}
	return embedItems(b, items)
}

// A tableEntry is a table's entry in the registry.
func tableEntry() meta.Map {
	return meta.Map{{Key: "kind", Value: "ctable"}, {Key: "version", Value: 1}, {Key: "layout", Value: "inline-tree-subtree"}}
}

func setValue(b *frame.Builder, name string, v any) error {
	value, err := EncodeValue(nil, v)
	if err != nil {
		return err
	}
	return b.SetVLMeta(name, value)
}

// embedItems makes a frame of the bytes of all items, one item after the other.
func embedItems(b *frame.Builder, items []Item) ([]byte, error) {
	out, err := b.AppendHeader(nil)
	if err != nil {
		return nil, err
	}
	headerLen := len(out)
	enc, err := chunk.NewEncoder(chunk.Params{Codec: blosc2.CodecZstd, Level: 5, TypeSize: 1, Filters: chunk.Default().Filters, PlainZeros: true})
	if err != nil {
		return nil, err
	}
	var readers []io.Reader
	for _, it := range items {
		readers = append(readers, io.NewSectionReader(it.Frame, 0, it.Length))
	}
	all := io.MultiReader(readers...)
	for buf, end := make([]byte, embedChunk), false; !end; {
		n, err := io.ReadFull(all, buf)
		if end = err == io.EOF || err == io.ErrUnexpectedEOF; err != nil && !end {
			return nil, err
		}
		if n == 0 {
			break
		}
		start := len(out)
		if out, err = enc.Encode(out, buf[:n]); err != nil {
			return nil, err
		}
		if err := b.AddChunk(n, len(out)-start); err != nil {
			return nil, err
		}
	}
	if out, err = b.AppendTail(out); err != nil {
		return nil, err
	}
	head, err := b.AppendSealed(nil)
	if err != nil {
		return nil, err
	}
	return append(head, out[headerLen:]...), nil
}
