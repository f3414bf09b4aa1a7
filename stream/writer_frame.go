package stream

import (
	"cmp"
	"io"

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

// newFrame returns a frame with the Writer's parameters and vlmetalayers.
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
	if h.Generation == header.Layout2019 { // in this layout only the chunks record these fields
		h.BlockSize, h.CodecMeta, h.Split, h.Filters = 0, 0, blosc2.SplitDefault, filters.Pipeline{}
	}
	if w.cfg.variable {
		h.VariableChunks, h.ChunkSize = true, 0
	}
	w.stats.Frames++
	if w.builder == nil || w.records != w.cfg.checks {
		w.records = w.cfg.checks
		w.builder, err = frame.NewBuilder(&h, frame.Checks(w.cfg.checks))
	} else {
		err = w.builder.Reset(&h)
	}
	if err != nil {
		return err
	}
	w.frame = w.builder
	for _, l := range w.vlmeta {
		if err := w.frame.SetVLMeta(l.Name, l.Value); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes all data so far to the sink, so that a Reader at the other end can
// read all of them. Flushed data survive the death of the process, but not a crash
// of the machine.
//
// To a file, Flush writes only the new bytes; see Logs at AppendFile. If a
// vlmetalayer has changed since the last commit, it is a Checkpoint. On any
// other sink, and with VariableChunks, Flush ends the current chunk, even a
// short one. If more data follow, the frame has a variable chunk size. Readers
// of this package read it like any other. C-Blosc2 2.x treats such a file as
// empty, 3.x reads it only by chunk, and python-blosc2 crashes on a slice of
// it: convert it to one chunk size first, with frame.CompactFile or the command
// "blosc2 compact".
//
// So on a sink that is not a file, each Flush costs the 56 bytes of header, digest and
// index entry of a chunk, and a chunk of a few bytes hardly becomes smaller. 200 kB of records
// of 40 bytes became 480 kB with a Flush after each. With Auto, 1.8 MB of them became 2.0 MB
// with a Flush after 400 bytes, 0.79 MB after 4000, and 0.74 MB without. Flush
// after some kilobytes, or let a Conn with Delay collect them. A file has no such cost.
//
// Flush also flushes a sink that has a method Flush or FlushError, such as a
// bufio.Writer or an http.ResponseWriter, or one that an http.ResponseWriter
// with a method Unwrap wraps. Write and Close do not.
//
// With a spool, and in the layout of 2019, Flush does nothing.
func (w *Writer) Flush() (err error) {
	w.guarded(func() {
		if err = w.flush(); err == nil {
			err = w.flushSink()
		}
	})
	return err
}

// flushSink flushes the buffer of the sink.
func (w *Writer) flushSink() error {
	if w.cfg.spool >= 0 || w.cfg.layout == header.Layout2019 {
		return nil
	}
	if err := flushTo(w.dst); err != nil {
		return w.abort(err)
	}
	return nil
}

// flush writes every byte to the sink.
func (w *Writer) flush() error {
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
	if err := w.commitMeta(); err != nil {
		return err
	}
	if err := w.sink.Release(); err != nil {
		return w.abort(err)
	}
	w.safe = w.held + w.stats.Bytes
	return nil
}

// flushChunk writes the current chunk, which is not full.
func (w *Writer) flushChunk() error {
	if w.fill == w.kept {
		return w.flushLog(nil)
	}
	if err := w.beginLog(); err != nil {
		return w.abort(err)
	}
	if w.log == nil || w.cfg.variable {
		if err := w.submitShort(); err != nil {
			return err
		}
		if err := w.emitAll(); err != nil {
			return err
		}
		return w.flushLog(nil)
	}
	if err := w.flushLog(w.cur.Value.src[:w.fill]); err != nil {
		return err
	}
	w.kept, w.dirty = 0, w.dirty || w.log.Dirty()
	return nil
}

// flushLog flushes the log, if there is one, with the data of the current chunk.
func (w *Writer) flushLog(data []byte) error {
	if w.log == nil {
		return nil
	}
	if err := w.log.Flush(data); err != nil {
		return w.abort(err)
	}
	return nil
}

// commitMeta commits the frame in a file if header and tail are out of date: a
// vlmetalayer has changed, or Append has given it a variable chunk size,
// without which readers do not find the following chunks.
func (w *Writer) commitMeta() error {
	if w.metaDirty {
		if err := w.beginLog(); err != nil {
			return w.abort(err)
		}
	}
	if w.log == nil {
		return nil
	}
	variable := w.frame.Header().VariableChunks
	if w.variable == variable && (!w.metaDirty || w.log.Empty()) {
		return nil
	}
	if w.metaDirty {
		w.log.Touch()
	}
	if err := w.log.Commit(); err != nil {
		return w.abort(err)
	}
	w.variable, w.metaDirty = variable, false
	return nil
}

// beginLog prepares the frame in a file for flushes and commits, unless it is
// prepared.
func (w *Writer) beginLog() error {
	file, ok := w.sink.(*patchSink)
	if !ok || w.log != nil {
		return nil
	}
	if w.frame == nil {
		if err := w.begin(); err != nil {
			return err
		}
	}
	if f, ok := file.at.(committer); ok && file.endsAt(w.frame.Pos()) {
		w.log, w.variable = newLog(w.frame, f, file.base), w.frame.Header().VariableChunks
	}
	return nil
}

// Checkpoint makes all data so far a sealed frame, which survives a crash of
// the machine and which C-Blosc2 reads; the Writer can continue. On a sink that
// cannot be patched or truncated, and while there are no data, it is a Flush.
// If the sink has a method Checkpoint() error, that is called first, and its
// error is returned without any other effect.
func (w *Writer) Checkpoint() (err error) {
	w.guarded(func() {
		if err = w.checkpoint(); err == nil {
			err = w.flushSink()
		}
	})
	return err
}

func (w *Writer) checkpoint() error {
	if s, ok := w.dst.(interface{ Checkpoint() error }); ok {
		if err := cmp.Or(w.ready(), s.Checkpoint()); err != nil {
			return err
		}
	}
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.flushSink(); err != nil {
		return err
	}
	if w.frame == nil || w.cfg.layout == header.Layout2019 {
		return nil
	}
	if !w.dirty {
		return w.syncUnchanged()
	}
	if err := w.beginLog(); err != nil {
		return w.abort(err)
	}
	if w.log == nil || w.log.Empty() {
		return nil
	}
	w.log.Touch()
	if err := w.log.Commit(); err != nil {
		return w.abort(err)
	}
	w.dirty, w.metaDirty, w.safe = false, false, w.held+w.stats.Bytes
	return nil
}

// syncUnchanged syncs a frame that has not changed since Append opened it, because its last
// writer may have died before it synced the frame.
func (w *Writer) syncUnchanged() error {
	if w.log == nil {
		return nil
	}
	if err := w.log.Commit(); err != nil {
		return w.abort(err)
	}
	return nil
}

// tail writes the end mark, index and trailer.
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

// endFrame ends a frame that another follows, on a sink that cannot be patched.
func (w *Writer) endFrame() error {
	err := w.tail()
	w.frame = nil
	if held, ok := w.sink.(*heldSink); ok && err == nil {
		err = held.detach()
	}
	return err
}

// finish writes the remaining parts of the frame. It makes an error that of the Writer.
func (w *Writer) finish() {
	if w.ready() != nil {
		return
	}
	if w.fill > w.kept && w.submitShort() != nil {
		return
	}
	if w.emitAll() != nil {
		return
	}
	if err := w.finishFrame(); err != nil {
		w.abort(err)
		return
	}
	sealed := w.sink.Patchable()
	w.err = w.sink.Close()
	w.sealed = sealed && w.err == nil
}

// finishFrame ends the frame and seals it if possible.
func (w *Writer) finishFrame() error {
	switch {
	case w.frame == nil:
		return w.finishEmpty()
	case w.log != nil && !w.log.Empty():
		return w.finishLog()
	case w.frame.NumChunks() == 0 && w.sink.Patchable():
		return w.patchEmpty()
	}
	if err := w.tail(); err != nil || !w.sink.Patchable() {
		return err
	}
	return w.seal()
}

// finishLog ends a frame that was flushed or committed, and leaves the sink's
// offset after it.
func (w *Writer) finishLog() error {
	if w.dirty {
		w.log.Touch()
	}
	if err := w.log.Close(); err != nil {
		return err
	}
	file := w.sink.(*patchSink)
	if s, ok := file.w.(io.Seeker); ok {
		_, err := s.Seek(file.base+w.log.Len(), io.SeekStart)
		return err
	}
	return nil
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

// patchEmpty writes a frame without data whose header is already written. The
// trailer is longer than the record that it overwrites.
func (w *Writer) patchEmpty() error {
	part, err := w.frame.AppendEmpty(w.part[:0])
	if err != nil {
		return err
	}
	w.stats.Stored = int64(len(part))
	return w.sink.Patch(part, 0)
}
