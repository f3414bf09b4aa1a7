package zarr

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"iter"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filter"
	"github.com/seed03b80dae/blosc2/meta"
)

// Of returns how an array is stored in format 3: its chunks as shards, its blocks
// as inner chunks, and its codec and shuffle as those of the blosc codec, if that
// has them. A block that does not divide the chunk along a dimension becomes as
// long as the chunk there. Types that format 3 does not have return
// blosc2.ErrUnsupported.
func Of(a *b2nd.Array, attributes json.RawMessage) (*Metadata, error) {
	m := &Metadata{
		Format: 3, Shape: a.Shape(), DType: a.DType(), Fill: make([]byte, a.ItemSize()),
		Prefix: "c", Separator: "/", Index: []Codec{{Name: "crc32c"}}, Attributes: attributes,
		Chunks: []int64{}, Inner: []int64{}, // not nil, even for a scalar
	}
	if _, err := nameV3(m.DType); err != nil {
		return nil, err
	}
	chunks, blocks := a.ChunkShape(), a.BlockShape()
	for d := range chunks {
		side := max(chunks[d], 1)
		inner := side
		if blocks[d] > 0 && side%blocks[d] == 0 {
			inner = blocks[d]
		}
		m.Chunks, m.Inner = append(m.Chunks, side), append(m.Inner, inner)
	}
	var p chunk.Params
	if s := a.Spec(); s.Params != nil {
		p = *s.Params
	}
	m.Bytes = []Codec{{"blosc", bloscOf(p, a.ItemSize())}}
	return m, m.check()
}

// bloscOf returns the settings of the blosc codec that are nearest to those of an
// array.
func bloscOf(p chunk.Params, typesize int) filter.Zarr {
	z := filter.Zarr{Codec: p.Codec, Level: p.Level, Shuffle: blosc2.FilterNone, TypeSize: typesize}
	switch p.Codec {
	case blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecZlib, blosc2.CodecZstd:
	default:
		z.Codec = blosc2.CodecZstd
	}
	for _, f := range p.Filters.IDs {
		if f == blosc2.FilterShuffle || f == blosc2.FilterBitShuffle {
			z.Shuffle = f
		}
	}
	if typesize > 255 {
		z.TypeSize, z.Shuffle = 1, blosc2.FilterNone
	}
	return z
}

// These are the numbers of rows of an inner chunk and of a shard for data without
// chunks.
const rowsOfChunk, rowsOfShard = 1 << 16, 1 << 20

// OfRows returns how n items of a type are stored in format 3 as an array of one
// dimension.
func OfRows(d meta.DType, n int64) (*Metadata, error) {
	m := &Metadata{
		Format: 3, Shape: []int64{n}, DType: d, Fill: make([]byte, d.Size), Prefix: "c", Separator: "/", Index: []Codec{{Name: "crc32c"}},
		Chunks: []int64{rowsOfShard}, Inner: []int64{rowsOfChunk},
		Bytes: []Codec{{"blosc", filter.Zarr{Codec: blosc2.CodecZstd, Level: 5, Shuffle: blosc2.FilterShuffle, TypeSize: d.Size}}},
	}
	if _, err := nameV3(d); err != nil {
		return nil, err
	}
	return m, m.check()
}

// WriteTexts writes an array of n strings, as Write does; all yields some of them
// at a time.
func WriteTexts(n int64, all iter.Seq2[[]string, error], put func(name string, data []byte) error) error {
	m := &Metadata{
		Format: 3, Shape: []int64{n}, Chunks: []int64{rowsOfChunk}, Strings: true, Prefix: "c", Separator: "/",
		Bytes: []Codec{{"blosc", filter.Zarr{Codec: blosc2.CodecZstd, Level: 5, Shuffle: blosc2.FilterNone, TypeSize: 1}}},
	}
	head, err := m.V3()
	if err != nil {
		return err
	}
	var chunk []string
	var raw, out []byte
	at := int64(0)
	flush := func() error {
		if len(chunk) == 0 {
			return nil
		}
		chunk = append(chunk, make([]string, rowsOfChunk-len(chunk))...) // the last chunk has the length of the others
		raw = binary.LittleEndian.AppendUint32(raw[:0], rowsOfChunk)
		for _, s := range chunk {
			raw = append(binary.LittleEndian.AppendUint32(raw, uint32(len(s))), s...)
		}
		chunk = chunk[:0]
		var err error
		if out, err = encode(out[:0], raw, m.Bytes); err != nil {
			return err
		}
		at++
		return put(m.chunkName([]int64{at - 1}), out)
	}
	for texts, err := range all {
		if err != nil {
			return err
		}
		for len(texts) > 0 {
			k := min(len(texts), rowsOfChunk-len(chunk))
			chunk, texts = append(chunk, texts[:k]...), texts[k:]
			if len(chunk) == rowsOfChunk {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return put(MetaV3, head)
}

// A Source is an array that Write reads.
type Source interface {
	// ReadWindow reads the items of a window in C order.
	ReadWindow(dst []byte, w b2nd.Window) error
}

// Write writes the array's zarr.json and shards with put, which stores a file under
// its name. Shards of zeros, and inner chunks of zeros, are omitted, because the
// fill value is 0.
func Write(m *Metadata, a Source, put func(name string, data []byte) error) error {
	head, err := m.V3()
	if err != nil {
		return err
	}
	high := make([]int64, len(m.Shape))
	for d := range m.Shape {
		if m.Shape[d] == 0 {
			return put(MetaV3, head)
		}
		high[d] = (m.Shape[d] - 1) / m.Chunks[d]
	}
	w := &shardWriter{m: m, a: a}
	err = each(make([]int64, len(m.Shape)), high, func(at []int64) error {
		shard, err := w.shard(at)
		if err != nil || shard == nil {
			return err
		}
		return put(m.chunkName(at), shard)
	})
	if err != nil {
		return err
	}
	return put(MetaV3, head)
}

// A shardWriter makes shards in memory that it reuses.
type shardWriter struct {
	m            *Metadata
	a            Source
	items, inner []byte
	shardBytes   []byte
}

// shard returns the shard at the given coordinates, or nil if it is all zeros.
func (w *shardWriter) shard(at []int64) ([]byte, error) {
	m := w.m
	n, size := len(m.Shape), int64(m.DType.Size)
	window := make(b2nd.Window, n)
	for d := range n {
		start := at[d] * m.Chunks[d]
		window[d] = b2nd.Span{Start: start, Stop: min(start+m.Chunks[d], m.Shape[d]), Step: 1}
	}
	have := int(product(window.Shape()) * size)
	w.items = slices.Grow(w.items[:0], have)[:have]
	if err := w.a.ReadWindow(w.items, window); err != nil {
		return nil, err
	}
	inner := m.Inner
	high := make([]int64, n)
	for d := range n {
		high[d] = m.Chunks[d]/inner[d] - 1
	}
	part := int(product(inner) * size)
	w.inner = slices.Grow(w.inner[:0], part)[:part]
	out := w.shardBytes[:0]
	var index []byte
	err := each(make([]int64, n), high, func(k []int64) error {
		clear(w.inner)
		cut(w.inner, w.items, window, k, inner, size)
		off := len(out)
		if !isZero(w.inner) {
			var err error
			if out, err = encode(out, w.inner, m.Bytes); err != nil {
				return err
			}
			index = binary.LittleEndian.AppendUint64(index, uint64(off))
			index = binary.LittleEndian.AppendUint64(index, uint64(len(out)-off))
			return nil
		}
		index = binary.LittleEndian.AppendUint64(index, notStored)
		index = binary.LittleEndian.AppendUint64(index, notStored)
		return nil
	})
	w.shardBytes = out
	if err != nil || len(out) == 0 {
		return nil, err
	}
	out = append(out, index...)
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(index, castagnoli))
	w.shardBytes = out
	return out, nil
}

// isZero compares the bytes with those before, which is faster than a loop.
func isZero(b []byte) bool {
	return len(b) == 0 || b[0] == 0 && bytes.Equal(b[1:], b[:len(b)-1])
}

// cut copies inner chunk k of the items of a window to dst.
func cut(dst, items []byte, w b2nd.Window, k, inner []int64, size int64) {
	n := len(inner)
	if n == 0 {
		copy(dst, items)
		return
	}
	in, out := strides(lengths(w), size), strides(inner, size)
	var walk func(d int, to, from int64)
	walk = func(d int, to, from int64) {
		first := k[d] * inner[d]
		have := min(inner[d], w[d].Len()-first)
		if have <= 0 {
			return
		}
		if d == n-1 {
			copy(dst[to:to+have*size], items[from+first*size:])
			return
		}
		for i := range have {
			walk(d+1, to+i*out[d], from+(first+i)*in[d])
		}
	}
	walk(0, 0, 0)
}
