package b2nd

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// Zeros writes an array of zeros. It takes a few hundred bytes and almost no
// time, whatever its size, because its chunks are entries of the index. The
// options Codec, CodecMeta, Level, Filters, Split and Dict, which override
// spec.Params, set how items are compressed that an Editor writes later. Others
// have no effect.
func Zeros(w io.Writer, spec Spec, opts ...stream.WriterOption) error {
	return create(w, spec, opts, chunk.Zeros, nil)
}

// NaNs writes an array of NaNs, for items of 4 or 8 bytes, as Zeros writes
// zeros.
func NaNs(w io.Writer, spec Spec, opts ...stream.WriterOption) error {
	return create(w, spec, opts, chunk.NaN, nil)
}

// Uninit writes an array whose items are undefined until they are set, as Zeros
// writes zeros. This library reads them as zeros.
func Uninit(w io.Writer, spec Spec, opts ...stream.WriterOption) error {
	return create(w, spec, opts, chunk.Uninit, nil)
}

// Full writes an array whose items all have the given bytes. Each of its chunks
// takes 32 bytes more than an item.
func Full(w io.Writer, spec Spec, item []byte, opts ...stream.WriterOption) error {
	if len(bytes.Trim(item, "\x00")) == 0 && len(item) > 0 {
		g, _, err := spec.plan()
		if err == nil && int64(len(item)) != g.item {
			err = itemLen(item, g)
		}
		if err != nil {
			return err
		}
		return Zeros(w, spec, opts...)
	}
	return create(w, spec, opts, chunk.Repeat, item)
}

func itemLen(item []byte, g *grid) error {
	return &blosc2.OptionError{Option: "bytes of the item", Value: len(item), Range: fmt.Sprintf("%d, like the array's items", g.item)}
}

func create(w io.Writer, spec Spec, opts []stream.WriterOption, kind chunk.Special, item []byte) error {
	if err := framing.Need(w != nil, "sink", "an io.Writer"); err != nil {
		return err
	}
	if len(spec.Shape) > 0 && spec.Shape[0] == Unknown {
		return &blosc2.OptionError{Option: "shape", Value: spec.Shape, Range: "known"}
	}
	g, desc, err := spec.plan()
	if err != nil {
		return err
	}
	p, err := paramsOf(spec.withSizes(opts, g, desc)...)
	if err != nil {
		return err
	}
	if kind == chunk.NaN && g.item != 4 && g.item != 8 {
		return &blosc2.OptionError{Option: "item size", Value: g.item, Range: "4 or 8 for NaNs"}
	}
	if kind == chunk.Repeat && int64(len(item)) != g.item {
		return itemLen(item, g)
	}
	if g.chunks() > frame.MaxChunks {
		return &blosc2.OptionError{Option: "chunkshape", Value: desc.ChunkShape, Range: fmt.Sprintf("large enough for at most %d chunks", frame.MaxChunks)}
	}
	h, err := headerOf(g, desc, p)
	if err != nil {
		return err
	}
	b, err := frame.NewBuilder(h, frame.Unordered())
	if err != nil {
		return err
	}
	return build(w, b, g, kind, item)
}

// headerOf makes the header of an array's frame.
func headerOf(g *grid, desc *meta.B2ND, p chunk.Params) (*header.Header, error) {
	value, err := desc.Append(nil)
	if err != nil {
		return nil, err
	}
	return &header.Header{
		TypeSize: int32(g.item), BlockSize: int32(g.blockBytes), ChunkSize: int32(g.chunkBytes),
		Codec: p.Codec, CodecMeta: p.CodecMeta, Level: uint8(p.Level), Split: p.Split, Filters: p.Filters, Dict: p.Dict,
		Layers: []meta.Layer{{Name: meta.B2NDName, Value: value}},
	}, nil
}

// build writes a sealed frame whose chunks are all equal.
func build(w io.Writer, b *frame.Builder, g *grid, kind chunk.Special, item []byte) error {
	n := g.chunks()
	if n == 0 {
		all, err := b.AppendEmpty(nil)
		if err != nil {
			return err
		}
		_, err = w.Write(all)
		return err
	}
	all, err := b.AppendHeader(nil)
	if err != nil {
		return err
	}
	head := len(all)
	var one []byte
	if kind == chunk.Repeat {
		if one, err = chunk.AppendRepeat(nil, int(g.chunkBytes), item); err != nil {
			return err
		}
		// C-Blosc2 reads an array only if the block size in each chunk, bytes 8 to
		// 11, is the array's.
		binary.LittleEndian.PutUint32(one[8:], uint32(g.blockBytes))
	}
	for range n {
		if one == nil {
			err = b.AddSpecial(kind, int(g.chunkBytes))
		} else {
			all = append(all, one...)
			err = b.AddChunk(int(g.chunkBytes), len(one))
		}
		if err != nil {
			return err
		}
	}
	if all, err = b.AppendTail(all); err != nil {
		return err
	}
	sealed, err := b.AppendSealed(make([]byte, 0, head))
	if err != nil {
		return err
	}
	copy(all, sealed)
	_, err = w.Write(all)
	return err
}
