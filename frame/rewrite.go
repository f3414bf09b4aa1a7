package frame

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// rewriter makes a new frame of chunks of another, in order and without holes.
type rewriter struct {
	dst File
	b   *Builder
	dec chunk.Decoder
	enc *chunk.Encoder // for chunks that were entries of the index alone
	buf []byte
	out []byte
}

// newRewriter starts a frame with the parameters and metalayers of h at the
// beginning of dst.
func newRewriter(dst File, h *header.Header, o BuilderOptions, lim Limits) (*rewriter, error) {
	b, err := NewBuilder(h, o)
	if err != nil {
		return nil, err
	}
	w := &rewriter{dst: dst, b: b}
	SetUp(&w.dec, h, lim)
	if w.enc, err = chunk.NewEncoder(encoderParams(b)); err != nil {
		// Constant data need no more than this.
		w.enc, err = chunk.NewEncoder(chunk.Params{Codec: blosc2.CodecBloscLZ, Level: 5, TypeSize: int(h.TypeSize), PlainZeros: true})
	}
	if err != nil {
		return nil, err
	}
	w.buf, err = b.AppendHeader(nil)
	if err != nil {
		return nil, err
	}
	_, err = dst.WriteAt(w.buf, 0)
	return w, err
}

// add adds a chunk as it is stored. One that is an entry of the index alone
// remains that; only in a frame of variable chunk size, where it would lose its
// size, it becomes an ordinary one.
func (w *rewriter) add(it Item) error {
	c := it.Chunk
	if it.Offset < 0 && !w.b.h.VariableChunks {
		h, err := chunk.ParseHeader(c)
		if err != nil {
			return err
		}
		return w.b.AddSpecial(h.Special(), it.NBytes)
	}
	if it.Offset < 0 {
		var err error
		if w.out, err = w.dec.Decode(w.out[:0], c); err != nil {
			return err
		}
		if c, err = w.enc.Encode(nil, w.out); err != nil {
			return err
		}
	}
	return w.write(c, it.NBytes)
}

// write writes a chunk with its record.
func (w *rewriter) write(c []byte, nbytes int) error {
	w.buf = append(w.buf[:0], c...)
	if w.b.Checks() {
		w.buf = AppendChunkRecord(w.buf, c)
	}
	if _, err := w.dst.WriteAt(w.buf, w.b.Pos()); err != nil {
		return err
	}
	return w.b.AddChunk(nbytes, len(c))
}

// finish ends and seals the frame with vlmetalayers as they are stored.
func (w *rewriter) finish(vlmeta []meta.Layer) error {
	w.b.vlmeta = vlmeta
	if w.b.NumChunks() == 0 {
		all, err := w.b.AppendEmpty(nil)
		if err != nil {
			return err
		}
		if _, err := w.dst.WriteAt(all, 0); err != nil {
			return err
		}
		return w.end(int64(len(all)))
	}
	at := w.b.Pos()
	tail, err := w.b.AppendTail(w.buf[:0])
	if err != nil {
		return err
	}
	if _, err := w.dst.WriteAt(tail, at); err != nil {
		return err
	}
	head, err := w.b.AppendSealed(nil)
	if err != nil {
		return err
	}
	if _, err := w.dst.WriteAt(head, 0); err != nil {
		return err
	}
	return w.end(w.b.Pos())
}

func (w *rewriter) end(size int64) error {
	if err := w.dst.Truncate(size); err != nil {
		return err
	}
	return w.dst.Sync()
}

// Compact writes the frame anew to dst, from its start on: without holes and
// chunks that no index names, and in order, so that it can be read front to
// back, unless some chunks are entries of the index alone, which they remain.
// It gets digests, unless it bears the mark of this library and was written
// without. Chunks are copied as they are stored, after their digests were
// compared.
func (f *Reader) Compact(dst File) error {
	if err := f.writable(); err != nil {
		return err
	}
	_, marked := f.h.Layer(meta.StreamName)
	h := *f.h
	if f.irregular {
		h.VariableChunks, h.ChunkSize, h.Version = true, 0, 3
	}
	special := slices.ContainsFunc(f.index, func(entry int64) bool { return entry < 0 })
	w, err := newRewriter(dst, &h, BuilderOptions{Checks: f.rec1 || !marked, Unordered: special && !h.VariableChunks}, f.cfg.limits)
	if err != nil {
		return err
	}
	c := f.Cursor(0)
	var buf []byte
	for range f.NumChunks() {
		it, err := c.Next(buf)
		if err == nil {
			err = it.Verify()
		}
		if err == nil {
			err = w.add(it)
		}
		if err != nil {
			return err
		}
		buf = it.Chunk[:0]
	}
	return w.finish(f.vlmeta)
}
