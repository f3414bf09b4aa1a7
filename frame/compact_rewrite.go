package frame

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// A rewriter makes a new frame from the chunks of another one, in order and without
// unused bytes.
type rewriter struct {
	dst File
	b   *Builder
	dec chunk.Decoder
	enc *chunk.Encoder // encoder with the parameters of the frame
	buf []byte
	out []byte

	noSpecial bool // make ordinary chunks from chunks that are only entries of the index
	plain     ordinary
}

// newRewriter starts a frame with the parameters and metalayers of h at the
// beginning of dst.
func newRewriter(dst File, h *header.Header, o building, lim Limits) (*rewriter, error) {
	b, err := newBuilder(h, o)
	if err != nil {
		return nil, err
	}
	w := &rewriter{dst: dst, b: b, noSpecial: h.VariableChunks, plain: ordinary{h: &b.h, lim: lim}}
	setUp(&w.dec, h, lim)
	p := encoderParams(b)
	p.Level = max(p.Level, 1) // at level 0 constant data would be stored uncompressed
	if w.enc, err = chunk.NewEncoder(p); err != nil {
		// Constant data need no larger blocks.
		w.enc, err = chunk.NewEncoder(chunk.Params{Codec: blosc2.CodecBloscLZ, Level: 5, TypeSize: chunkTypeSize(h), PlainZeros: true})
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

// add adds a stored chunk. A chunk that is only an entry of the index remains one, unless
// noSpecial is set: with a variable chunk size, such a chunk would lose its size. A
// special chunk that is stored becomes an ordinary one.
func (w *rewriter) add(it Item) error {
	c := it.Chunk
	if it.Offset < 0 && !w.noSpecial {
		h, err := chunk.ParseHeader(c)
		if err != nil {
			return err
		}
		return w.b.AddSpecial(h.Special(), it.NBytes)
	}
	c, err := w.plain.chunk(c)
	if err != nil {
		return err
	}
	if c[0] > chunk.VersionVL {
		// A continued chunk without new data: a Walker would not accept it.
		h, err := chunk.ParseHeader(c)
		if err != nil {
			return err
		}
		w.out = append(w.out[:0], c...)
		c = w.out
		if c[0] = chunk.Version; h.VLBlocks() {
			c[0] = chunk.VersionVL
		}
	}
	return w.write(c, it.NBytes)
}

// write writes a chunk with its record.
func (w *rewriter) write(c []byte, nbytes int) error {
	w.buf = append(w.buf[:0], c...)
	if w.b.Checks() {
		w.buf = framing.AppendChunkRecord(w.buf, c)
	}
	if _, err := w.dst.WriteAt(w.buf, w.b.Pos()); err != nil {
		return err
	}
	return w.b.note(nbytes, len(c))
}

// finish writes the tail and the sealed header. The vlmetalayers are already compressed.
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
