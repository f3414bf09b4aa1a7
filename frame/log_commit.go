package frame

import (
	"github.com/seed03b80dae/blosc2"
)

// Commit durably makes all put and flushed data part of the sealed frame: they survive a
// crash of the machine, and C-Blosc2 reads them. If there are no data it does nothing.
func (l *chunkLog) Commit() error {
	if !l.dirty && l.unsure {
		l.unsure = false
		return l.file.Sync()
	}
	if !l.dirty || l.Empty() {
		return nil
	}
	if err := l.begin(); err != nil {
		return err
	}
	return l.commit(true, nil, false)
}

// Empty reports whether the frame holds no data.
func (l *chunkLog) Empty() bool { return l.b.NumChunks() == 0 && l.Pending() == 0 }

// commit seals the current frame. last is its last chunk, unless that is flushed or
// short. If moveTail is true, commit writes the tail again even if it has not changed.
func (l *chunkLog) commit(durable bool, last *lastChunk, moveTail bool) error {
	open, before := l.open, int64(0)
	switch {
	case l.rows != nil:
		if open != nil {
			if err := l.sealOpen(); err != nil {
				return err
			}
		}
		if open != nil || l.short != nil {
			last = l.slabChunks()
		}
	case last != nil:
		open, before = nil, recordLen // mark the chunk as displaced
	case open != nil:
		if err := l.sealOpen(); err != nil {
			return err
		}
		last = &lastChunk{span64: span64{open.at + openHeader, open.at + openData + int64(open.size)}, nbytes: int64(open.size)}
	case l.short != nil:
		last = &lastChunk{span64: l.short.span64, nbytes: l.short.nbytes}
	default:
		last = l.entry
	}
	now := committed{chunks: l.b.NumChunks(), meta: l.b.vlGen}
	if last != nil {
		now.last, now.place, now.chunks = last.span64, last.start, now.chunks+int64(last.count())
	}
	if open != nil {
		before = openHeader
	}
	now.last.start -= before
	if c := l.committed; moveTail || c == nil || c.chunks != now.chunks || c.place != now.place || c.meta != now.meta {
		if err := l.putTail(&now, last); err != nil {
			return err
		}
	} else {
		now.tail, l.b.sealedAt.nbytes = c.tail, l.b.nbytes+last.size()
	}
	if durable {
		if err := l.file.Sync(); err != nil {
			return err
		}
	}
	if open != nil && open.rows == nil {
		h := storedHeader(open.size, int(l.b.h.TypeSize), int(l.b.h.BlockSize))
		if err := l.write(h[:], open.at+openHeader); err != nil {
			return err
		}
		// Sync this header before the frame's: a chunk longer than the frame states
		// affects C-Blosc2 less than a shorter one.
		if durable {
			if err := l.file.Sync(); err != nil {
				return err
			}
		}
	}
	if err := l.stateRows(); err != nil {
		return err
	}
	if err := l.seal(durable); err != nil {
		return err
	}
	l.committed, l.dirty, l.since = &now, false, 0
	l.durable = l.durable || durable
	l.unsure = l.unsure && !durable
	return l.destroyStale()
}

// sealOpen records the committed part of the open chunk in its head.
func (l *chunkLog) sealOpen() error {
	o := l.open
	slot := appendCommitSlot(l.slot[:0], o.units(), o.digest.Sum64())
	o.commit = 1 - o.commit
	return l.write(slot, o.at+openCommit+int64(o.commit)*commitSlotLen)
}

// putTail writes a tail for all chunks and last. It writes it after the space of the open
// chunk, where nothing is overwritten.
func (l *chunkLog) putTail(now *committed, last *lastChunk) error {
	size := int64(l.b.h.ChunkSize)
	if l.b.h.VariableChunks {
		size = max(2*l.largest, variableRoom)
	}
	room, open := chunkRoom(size), openRoom(size)
	if l.rows != nil {
		room, open = l.rows.room(), l.rows.openRoom()
	}
	at := alignUp(l.b.pos+room) + open
	if last != nil {
		at = max(at, last.end)
	}
	if l.open != nil {
		at = max(at, l.open.at+open)
	}
	tail, s, err := l.b.tailAt(l.buf[:0], at, last)
	if err != nil {
		return err
	}
	if n := int64(len(tail)); l.pinned(span64{at, at + n}) {
		at = max(l.committed.tail.end, l.committed.last.end)
		if tail, s, err = l.b.tailAt(tail[:0], at, last); err != nil {
			return err
		}
	}
	l.buf = tail[:0]
	l.b.sealedAt, now.tail = s, span64{at, s.frame}
	return l.write(tail, at)
}

// variableRoom is the least space before a tail in a frame of variable chunk size. With
// less, every chunk would move the tail.
const variableRoom = 64 << 10

// pinned reports whether the sealed frame needs bytes in a range.
func (l *chunkLog) pinned(s span64) bool {
	c := l.committed
	return c != nil && (s.meets(c.tail) || s.meets(c.last))
}

// seal writes the header of the frame as of the last tail.
func (l *chunkLog) seal(durable bool) error {
	head, err := l.b.AppendSealed(l.buf[:0])
	if err != nil {
		return err
	}
	l.buf = head[:0]
	sync := func() error { return nil }
	if durable {
		sync = l.file.Sync
	}
	return writeHeader(l.file, sync, l.base, head, l.end)
}

// Close finishes the frame: its tail follows its last chunk, and the file ends after the
// tail. All bytes that were flushed must have been put. Close does not close the file. It
// commits a frame that was committed before. A frame that never was committed may not
// survive a crash of the machine.
func (l *chunkLog) Close() error {
	if !l.begun && !l.dirty && l.end == l.b.sealedAt.frame {
		return nil
	}
	if l.Unfinished() || l.Empty() {
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrOption, "the last chunk must be put before the frame is closed")
	}
	end, last := l.b.pos, l.entry
	if l.short != nil {
		end, last = l.short.end, &lastChunk{span64: l.short.span64, nbytes: l.short.nbytes}
		if l.rows != nil {
			last = l.slabChunks()
		}
	}
	if err := l.stateRows(); err != nil {
		return err
	}
	tail, s, err := l.b.tailAt(l.buf[:0], end, last)
	if err != nil {
		return err
	}
	l.buf = tail[:0]
	if l.pinned(span64{end, s.frame}) {
		tail = append([]byte(nil), tail...)
		if err := l.commit(l.durable, nil, true); err != nil {
			return err
		}
	}
	if err := l.write(tail, end); err != nil {
		return err
	}
	l.b.sealedAt = s
	if l.committed == nil && l.lastRows == 0 {
		if err := l.cut(s.frame); err != nil {
			return err
		}
		l.b.stream.Open = false
		return l.seal(false)
	}
	if l.durable {
		if err := l.file.Sync(); err != nil {
			return err
		}
	}
	if l.begun && l.end > s.frame {
		if err := l.seal(l.durable); err != nil {
			return err
		}
		if err := l.cut(s.frame); err != nil {
			return err
		}
		// No bytes may remain after a closed frame.
		if l.durable {
			if err := l.file.Sync(); err != nil {
				return err
			}
		}
	}
	l.b.stream.Open = false
	if err := l.seal(l.durable); err != nil {
		return err
	}
	return l.cut(s.frame)
}

// cut cuts off the bytes after the frame.
func (l *chunkLog) cut(size int64) error {
	if l.end <= size {
		return nil
	}
	l.end = size
	return l.file.Truncate(l.base + size)
}

// A lastChunk is the last chunk of a frame, if it is not at its final position.
type lastChunk struct {
	span64
	nbytes  int64
	offsets []int64 // index entries of its chunks, if it is a slab or the entry of a chunkLog
}

// count returns the number of chunks.
func (c *lastChunk) count() int { return max(1, len(c.offsets)) }

// size returns the number of decoded bytes. It is 0 if c is nil.
func (c *lastChunk) size() int64 {
	if c == nil {
		return 0
	}
	return c.nbytes
}
