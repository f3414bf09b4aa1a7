package frame

import (
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// reopen opens the frame in a file of size bytes to continue it after its end. The frame
// begins at the file's start, and the position of the returned Builder is the frame's
// end. reopen completes an interrupted commit, and cuts off uncommitted data. If another
// frame follows, or the frame cannot be continued, it returns blosc2.ErrUnsupported.
func reopen(file File, size int64, opts ...Option) (*Reader, *Builder, error) {
	w := watch(file)
	f, b, err := reopenWatched(w, size, opts...)
	if err = w.end(err); err != nil {
		return nil, nil, err
	}
	return f, b, nil
}

func reopenWatched(file File, size int64, opts ...Option) (*Reader, *Builder, error) {
	size, err := finish(file, size)
	if err != nil {
		return nil, nil, err
	}
	f, err := Open(file, size, opts...)
	if err == nil && f.mark.open {
		if size, err = finishLog(file, size, opts...); err == nil {
			f, err = Open(file, size, opts...)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	b, err := resume(f)
	if err != nil {
		return nil, nil, err
	}
	if f.cfg.recover && b.recoverTail(f, size) {
		if err := cutTail(file, f.h, b.pos, size); err != nil {
			return nil, nil, err
		}
		if err := b.commit(file); err != nil {
			return nil, nil, err
		}
		if f, err = Open(file, b.pos, opts...); err != nil {
			return nil, nil, err
		}
		return f, b, nil
	}
	return f, b, cutTail(file, f.h, f.frameLen, size)
}

// recoverTail adds the complete chunks with valid digests after the frame f,
// and reports whether there are any.
func (b *Builder) recoverTail(f *Reader, size int64) bool {
	if f.mark.order != Sealed || !b.checks {
		return false
	}
	r := &repairer{o: config{limits: f.cfg.limits}, src: f.src, size: size, h: f.h, raw: f.raw, order: true, checks: true, whole: f}
	any, at := false, f.frameLen
	for {
		c, next, ok := r.nextWhole(at, b.last)
		if !ok {
			return any
		}
		b.regrow = c.again
		if b.add(c.nbytes, c.at-b.headerLen) != nil {
			b.regrow = false
			return any
		}
		any, at, b.pos = true, next, next
	}
}

// commit ends a segment in a file and durably makes it part of the frame.
func (b *Builder) commit(file File) error {
	head, err := b.endSegment(file)
	if err != nil {
		return err
	}
	return writeHeader(file, file.Sync, 0, head, b.pos)
}

// endSegment writes and syncs the tail of a segment. It returns the header that makes the
// segment part of the frame.
func (b *Builder) endSegment(file File) (head []byte, err error) {
	at := b.pos
	tail, err := b.AppendTail(nil)
	if err != nil {
		return nil, err
	}
	if err := fsio.WriteAt(file, tail, at); err != nil {
		return nil, err
	}
	if err := file.Sync(); err != nil {
		return nil, err
	}
	return b.AppendSealed(nil)
}

// SetChunkSize sets the chunk size, in decoded bytes, if the frame has no data and no
// chunk size. Otherwise it does nothing.
func (b *Builder) SetChunkSize(n int) {
	if len(b.offsets) == 0 && b.h.ChunkSize <= 0 && !b.h.VariableChunks {
		b.h.ChunkSize = int32(n)
	}
}

// SetParams sets the codec, level, filters and split mode in the header to those of p, which
// are the ones of the next chunks. It takes effect when a header is appended next.
func (b *Builder) SetParams(p *chunk.Params) {
	b.h.Codec, b.h.CodecMeta, b.h.Level, b.h.Split, b.h.Filters = p.Codec, p.CodecMeta, uint8(p.Level), p.Split, p.Filters
}

// decideChunkSize returns the frame's chunk size. If a frame without data has none, the
// chunk size becomes n bytes, but at most 1 MiB.
func (b *Builder) decideChunkSize(n int) int {
	if b.h.ChunkSize <= 0 {
		t := int(b.h.TypeSize)
		b.h.ChunkSize = int32(min(max(n-n%t, t), max(1<<20-1<<20%t, t)))
	}
	return int(b.h.ChunkSize)
}
