package stream

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
)

// begin writes the header of a frame.
func (w *Writer) begin() (err error) {
	if err = w.newFrame(); err != nil {
		return err
	}
	part, err := w.frame.AppendHeader(w.part[:0])
	if err != nil {
		return err
	}
	w.dirty = true
	return w.put(part)
}

// newFrame makes a frame with the Writer's parameters and vlmetalayers.
func (w *Writer) newFrame() (err error) {
	p := &w.cfg.chunk
	h := header.Header{
		Generation: w.cfg.layout,
		TypeSize:   int32(p.TypeSize),
		BlockSize:  int32(p.BlockSize),
		ChunkSize:  int32(w.cfg.chunkSize),
		Codec:      p.Codec,
		CodecMeta:  p.CodecMeta,
		Level:      uint8(p.Level),
		Split:      p.Split,
		Filters:    p.Filters,
		Dict:       p.Dict,
		TComp:      int16(w.cfg.threads[0]),
		TDecomp:    int16(w.cfg.threads[1]),
		Layers:     w.cfg.layers,
	}
	if h.Generation == header.Layout2019 { // its chunks alone say these
		h.BlockSize, h.CodecMeta, h.Split, h.Filters = 0, 0, blosc2.SplitDefault, filters.Pipeline{}
	}
	if w.cfg.variable {
		h.VariableChunks, h.ChunkSize = true, 0
	}
	w.stats.Frames++
	w.frame, err = frame.NewBuilder(&h, frame.BuilderOptions{Checks: w.cfg.checks})
	if err != nil {
		return err
	}
	for _, l := range w.vlmeta {
		if err := w.frame.SetVLMeta(l.Name, l.Value); err != nil {
			return err
		}
	}
	return nil
}

// Flush puts every byte that was written so far on the wire, so that a Reader
// of what arrived gets them all. Where a chunk is not full yet it depends on
// the sink. One that can be patched, a file, gets the short chunk, and when it
// has grown it is written again: the cost is a chunk for each Flush. Lossy
// filters and codecs forbid that, and Flush is blosc2.ErrUnsupported then,
// unless VariableChunks is set. With VariableChunks, and on any other sink,
// the short chunk is a chunk of its own, and the frame, if more follows, one of
// variable chunk size, which C-Blosc2 before 3.0 cannot read.
//
// What was flushed survives the death of the process, not that of the machine.
func (w *Writer) Flush() error {
	if err := w.ready(); err != nil {
		return err
	}
	if w.cfg.spool >= 0 || w.cfg.layout == header.Layout2019 {
		return nil
	}
	if err := w.emitAll(); err != nil {
		return err
	}
	if err := w.flushChunk(); err != nil {
		return err
	}
	if w.frame == nil {
		if err := w.begin(); err != nil {
			return w.abort(err)
		}
	}
	if err := w.sink.Release(); err != nil {
		return w.abort(err)
	}
	return nil
}

// flushChunk writes the chunk at hand, which is not full.
func (w *Writer) flushChunk() error {
	switch {
	case w.fill == w.flushed:
		return nil
	case !w.regrow:
		if err := w.submit(); err != nil {
			return err
		}
		return w.emitAll()
	case !w.growable():
		return errNotGrowable
	}
	t := &w.cur.Value
	if err := w.choose(t.src[:w.fill]); err != nil {
		return err
	}
	t.grown = w.flushed > 0
	w.coder.submit(w.cur)
	j, err := w.coder.next() // no other is under way, so it is the same, and kept
	if err == nil {
		err = w.emit(j)
	}
	if err != nil {
		return w.abort(err)
	}
	w.flushed = w.fill
	return nil
}

var errNotGrowable = fmt.Errorf("%w: a part of a chunk cannot be filled up behind a lossy codec or filter; set VariableChunks", blosc2.ErrUnsupported)

// growable tells whether a chunk that holds more decodes to the same beginning:
// so it is unless something is lossy, or might be.
func (w *Writer) growable() bool {
	p := &w.cfg.chunk
	return !p.Filters.Lossy() && (p.Codec < firstPlugin || p.Codec == blosc2.CodecNDLZ)
}

// firstPlugin is the lowest id of a codec that may be lossy.
const firstPlugin = 32

// Checkpoint makes everything written so far a sealed frame, which survives
// the death of the machine, and the Writer goes on behind it: the index so far
// becomes unused space. On a sink that cannot be patched it is a Flush, as it
// is while there is no data.
func (w *Writer) Checkpoint() error {
	if err := w.Flush(); err != nil {
		return err
	}
	file, ok := w.sink.(*patchSink)
	if !ok || !w.dirty || w.frame == nil || w.frame.NumChunks() == 0 {
		return nil
	}
	if err := w.commit(file); err != nil {
		return w.abort(err)
	}
	return nil
}

// commit writes a tail and seals. Nothing that was sealed before is overwritten
// until all that the new header tells of is safe.
func (w *Writer) commit(file *patchSink) error {
	if w.frame.NumChunks() == 0 {
		return w.commitEmpty(file)
	}
	if err := w.tail(); err != nil {
		return err
	}
	part, err := w.frame.AppendSealed(w.part[:0])
	if err != nil {
		return err
	}
	w.part = part[:0]
	w.committed = true
	return file.commit(part, w.frame.Pos())
}

// commitEmpty does so for a frame that was found without data and has got none.
// Its header and trailer are written at once, which a disk does for a sector.
func (w *Writer) commitEmpty(file *patchSink) error {
	part, err := w.frame.AppendEmpty(w.part[:0])
	if err != nil {
		return err
	}
	if len(part) > 512 {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "changing a frame without data whose header and trailer have %d bytes", len(part))
	}
	w.part, w.dirty = part[:0], false
	return file.commit(part, int64(len(part)))
}

// tail writes end mark, index and trailer.
func (w *Writer) tail() error {
	part, err := w.frame.AppendTail(w.part[:0])
	if err != nil {
		return err
	}
	w.dirty = false
	return w.put(part)
}

// seal writes the final header over the first one.
func (w *Writer) seal() error {
	part, err := w.frame.AppendSealed(w.part[:0])
	if err != nil {
		return err
	}
	w.part = part[:0]
	return w.sink.Patch(part, 0)
}

// endFrame ends a frame that another one follows, on a sink that cannot be
// patched.
func (w *Writer) endFrame() error {
	err := w.tail()
	w.frame = nil
	return err
}

// Close finishes the frame. It does not close the sink, and does nothing when
// called again. The error is the first that the Writer had.
func (w *Writer) Close() error {
	if w.closed {
		return w.err
	}
	w.finish()
	w.coder.stop()
	w.closed = true
	return w.err
}

// finish writes all that is missing; an error becomes the Writer's.
func (w *Writer) finish() {
	if w.ready() != nil {
		return
	}
	if w.fill > w.flushed && w.submit() != nil {
		return
	}
	if w.emitAll() != nil {
		return
	}
	if err := w.finishFrame(); err != nil {
		w.abort(err)
		return
	}
	w.sealed = w.sink.Patchable()
	if err := w.sink.Close(); err != nil {
		w.sealed = false
		w.err = err
	}
}

// finishFrame ends the frame and seals it where that can be.
func (w *Writer) finishFrame() error {
	switch {
	case w.frame == nil:
		return w.finishEmpty()
	case w.committed && w.dirty:
		return w.commit(w.sink.(*patchSink))
	case w.committed:
		return nil
	case w.frame.NumChunks() == 0 && w.sink.Patchable():
		return w.patchEmpty()
	}
	if err := w.tail(); err != nil || !w.sink.Patchable() {
		return err
	}
	return w.seal()
}

// finishEmpty writes a frame without data.
func (w *Writer) finishEmpty() (err error) {
	if err = w.newFrame(); err != nil {
		return err
	}
	part, err := w.frame.AppendEmpty(w.part[:0])
	if err != nil {
		return err
	}
	return w.put(part)
}

// patchEmpty does so where the header is out already. The trailer is longer
// than the record behind the header that it covers.
func (w *Writer) patchEmpty() error {
	part, err := w.frame.AppendEmpty(w.part[:0])
	if err != nil {
		return err
	}
	return w.sink.Patch(part, 0)
}
