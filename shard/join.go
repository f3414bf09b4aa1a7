package shard

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// Stack writes the arrays to dst as one array, one after the other along the first
// dimension. Stored chunks are verified and copied, not recompressed. So the arrays
// may differ only in the length of the first dimension, not in dtype, chunkshape or
// blockshape, and all but the last must have whole rows of chunks; a
// *blosc2.OptionError names the difference. Codecs and filters may differ, because
// each chunk records them; the header, with its metalayers, is that of the first
// array.
//
// dst is patched at the end, so the array is sealed. frame.Concat joins frames
// that do not hold arrays.
func Stack(dst io.WriteSeeker, arrays []*b2nd.Array) error {
	if err := framing.Need(dst != nil || len(arrays) == 0, "destination", "an io.WriteSeeker"); err != nil {
		return err
	}
	for i, a := range arrays {
		if err := framing.Need(a != nil, fmt.Sprintf("array %d", i), "a *b2nd.Array"); err != nil {
			return err
		}
	}
	h, err := stacked(arrays)
	if err != nil {
		return err
	}
	b, err := frame.NewBuilder(h, frame.Checks(true))
	if err != nil {
		return err
	}
	start, err := dst.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(dst, copyBuf)
	var part []byte
	put := func(p []byte, err error) error {
		if part = p[:0]; err == nil {
			_, err = w.Write(p)
		}
		return err
	}
	if slices.IndexFunc(arrays, func(a *b2nd.Array) bool { return a.Frame().NumChunks() > 0 }) < 0 {
		if err := put(b.AppendEmpty(nil)); err != nil {
			return err
		}
		return w.Flush()
	}
	if err := put(b.AppendHeader(nil)); err != nil {
		return err
	}
	for i, a := range arrays {
		for it, err := range a.Frame().RawChunks(0) {
			if err == nil {
				err = put(b.AppendChunk(part, it.Chunk))
			}
			if err != nil {
				return fmt.Errorf("array %d: %w", i, err)
			}
		}
	}
	if err := put(b.AppendTail(part)); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	end, err := dst.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := dst.Seek(start, io.SeekStart); err != nil {
		return err
	}
	if part, err = b.AppendSealed(part); err == nil {
		_, err = dst.Write(part)
	}
	if err != nil {
		return err
	}
	_, err = dst.Seek(end, io.SeekStart)
	return err
}

// stacked returns the header of the array that Stack makes.
func stacked(arrays []*b2nd.Array) (*header.Header, error) {
	if len(arrays) == 0 {
		return nil, &blosc2.OptionError{Option: "number of arrays", Value: 0, Range: "at least 1"}
	}
	first := arrays[0]
	desc := *first.Descriptor()
	desc.Shape = slices.Clone(first.Shape())
	if len(desc.Shape) == 0 {
		return nil, &blosc2.OptionError{Option: "dimensions", Value: 0, Range: "at least 1"}
	}
	for i, a := range arrays {
		if err := stackable(first, a, i == len(arrays)-1); err != nil {
			return nil, fmt.Errorf("array %d: %w", i, err)
		}
		if i > 0 {
			desc.Shape[0] += a.Shape()[0]
		}
	}
	value, err := desc.Append(nil)
	if err != nil {
		return nil, err
	}
	h := *first.Frame().Header()
	h.Type = header.Contiguous
	h.Layers = slices.Clone(h.Layers)
	i := slices.IndexFunc(h.Layers, func(l meta.Layer) bool { return l.Name == meta.B2NDName })
	if i < 0 {
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "stacking arrays that have only the metalayer caterva")
	}
	h.Layers[i].Value = value
	for _, a := range arrays {
		g := a.Frame().Header()
		h.Dict, h.VLBlocks = h.Dict || g.Dict, h.VLBlocks || g.VLBlocks
	}
	return &h, nil
}

// stackable returns an error if an array cannot follow the first one.
func stackable(first, a *b2nd.Array, last bool) error {
	differs := func(what string, got, want any) error {
		return &blosc2.OptionError{Option: what, Value: got, Range: fmt.Sprintf("%v, as in the first array", want)}
	}
	f, g := first.Descriptor(), a.Descriptor()
	switch chunk := int64(f.ChunkShape[0]); {
	case a.Frame().Header().Generation != header.Current:
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "stacking arrays of the %s layout", a.Frame().Header().Generation)
	case len(a.Shape()) != len(first.Shape()) || !slices.Equal(a.Shape()[1:], first.Shape()[1:]):
		return differs("shape", a.Shape(), first.Shape())
	case a.DType().String() != first.DType().String() || a.ItemSize() != first.ItemSize():
		return differs("dtype", a.DType(), first.DType())
	case !slices.Equal(f.ChunkShape, g.ChunkShape):
		return differs("chunkshape", g.ChunkShape, f.ChunkShape)
	case !slices.Equal(f.BlockShape, g.BlockShape):
		return differs("blockshape", g.BlockShape, f.BlockShape)
	case !last && chunk > 0 && a.Shape()[0]%chunk != 0:
		return &blosc2.OptionError{Option: "rows", Value: a.Shape()[0], Range: fmt.Sprintf("a multiple of %d, the rows of a chunk, in all arrays but the last: rechunk it", chunk)}
	}
	return nil
}
