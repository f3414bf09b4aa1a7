package frame

import (
	"io"

	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A chunkLog writes a frame with repeated flushes and commits, and keeps it
// close to the size it would have without them:
//
//	header rec₁ | chunk rec₀ | … | room for the next chunk | open chunk | tail | …
//
// The bytes of an incomplete chunk go into an open chunk, after the room for
// the finished one. Commit makes that part of the frame: it writes a tail, if
// the index has changed, then the header of the open chunk, then the frame's.
// When the chunk is full it is written to its room, and the space of the open
// one is reused for the next.
//
// Nothing that the sealed frame needs is overwritten before the next commit. If
// something would be, it commits first. So the frame is always intact for
// C-Blosc2 too. Between the last two writes of a commit C-Blosc2 sees a last
// chunk that is longer than the frame says, and rejects ranges up to the end;
// opening the frame for writing repairs that.
//
// Until Close the header says that the frame is open (by the flag of that name in
// the metalayer b2stream), and readers of this package look for data after the
// committed part. A frame without that metalayer is committed at every Flush
// instead.
//
// A chunkLog belongs to one goroutine. Errors are not sticky: after one it must
// not be used. It is a framing.Log, of package stream.
type chunkLog struct {
	b    *Builder
	file framing.LogFile
	base int64 // offset of the frame in the file
	end  int64 // end of the data written, as an offset from base

	recovered int64 // bytes found by appendLog that were not committed
	lost      error // the loss that appendLog found among the recovered bytes

	found int64 // length of the file when it was opened: see clear

	begun     bool       // the header already says that the frame is open
	dirty     bool       // there are changes to commit
	unsure    bool       // another writer made the sealed frame and may not have synced it
	committed *committed // the sealed frame according to its header; nil if it was never sealed
	durable   bool       // the sealed frame survives a crash of the machine, and must continue to do so
	since     int64      // bytes of chunks that were put since the last commit
	open      *openChunk // the flushed bytes of the current chunk; nil if there are none
	short     *extent    // the current chunk, if it is already written but not full
	entry     *lastChunk // the current chunk, if it is only an entry of the index, or is not the last one in the file
	largest   int64      // size of the largest chunk that was put, in decoded bytes
	rows      *rowLayout // layout of an array that grows row by row; nil for any other frame
	lastRows  int64      // rows in the last slab that was put, if it is incomplete

	shortOffsets []int64 // index entries of short, if short is a slab

	stale []int64 // heads of finished open chunks that are not destroyed yet
	buf   []byte  // memory for a tail or header to be written
	head  []byte  // the header, if it is still to be written
	slot  [commitSlotLen]byte
}

// A committed describes bytes that the sealed frame needs and a later frame does not.
type committed struct {
	tail   span64
	last   span64 // the last chunk of the sealed frame, if it is not in its final place
	chunks int64  // number of chunks in the index of the sealed frame
	place  int64  // final place of the last chunk, if last is not empty
	meta   int    // generation of the vlmetalayers
}

// newLog continues a frame that b has begun. The file holds its header and its chunks up
// to b.Pos, but no tail.
func newLog(b *Builder, file framing.LogFile, base int64) *chunkLog {
	return &chunkLog{b: b, file: file, base: base, end: b.pos, dirty: len(b.offsets) > 0}
}

// Builder returns the frame's Builder.
func (l *chunkLog) Builder() *Builder { return l.b }

// Dirty reports whether Commit has anything to do.
func (l *chunkLog) Dirty() bool { return l.dirty }

// Committed reports whether the frame was ever sealed.
func (l *chunkLog) Committed() bool { return l.committed != nil }

// Len returns the length in bytes of the frame as last sealed.
func (l *chunkLog) Len() int64 { return l.b.sealedAt.frame }

// Touch records that a metalayer or vlmetalayer has changed.
func (l *chunkLog) Touch() { l.dirty = true }

// marked reports whether the frame has the metalayer that can say that it is open.
func (l *chunkLog) marked() bool { return l.b.mark >= 0 }

// begin writes to the header that the frame is open.
func (l *chunkLog) begin() error {
	if l.begun || !l.marked() {
		return nil
	}
	l.begun, l.b.stream.Open, l.head = true, true, nil
	if l.committed != nil {
		return l.seal(l.durable)
	}
	head, err := l.b.AppendHeader(l.buf[:0])
	if err != nil {
		return err
	}
	l.buf = head[:0]
	return l.write(head, 0)
}

// Flush makes data survive the death of the process, and all chunks that were put. data
// holds all bytes so far of the current chunk, which may not be begun; it must not be longer
// than a chunk. Flush writes only the bytes that were not flushed before.
func (l *chunkLog) Flush(data []byte) error {
	if len(data) == 0 {
		return l.flushed()
	}
	if l.open != nil && len(data) == l.open.size || l.short != nil && l.open == nil && int64(len(data)) == l.short.nbytes {
		return nil
	}
	if err := l.begin(); err != nil {
		return err
	}
	if l.open == nil {
		if err := l.openChunk(data); err != nil { // openChunk may commit
			return err
		}
	} else if err := l.grow(data); err != nil {
		return err
	}
	l.dirty = true
	return l.flushed()
}

// flushed commits what was flushed if the frame cannot say that it is open, because then
// neither readers nor Append would find it.
func (l *chunkLog) flushed() error {
	if l.marked() || !l.dirty || l.Empty() {
		return nil
	}
	return l.commit(false, nil, false)
}

// openChunk begins an open chunk with data.
func (l *chunkLog) openChunk(data []byte) error {
	size := int64(l.b.h.ChunkSize)
	at := openPlace(l.b.pos, size, l.sealedTail())
	if c := l.committed; c != nil {
		// There is also space after the tail. But to use it would make a small file half
		// as long again.
		small := l.b.pos < 2*size && at != openPlace(l.b.pos, size, span64{})
		if small || c.last.meets(span64{at, at + openRoom(size)}) {
			if err := l.commit(true, nil, small); err != nil {
				return err
			}
			at = openPlace(l.b.pos, size, l.sealedTail())
		}
	}
	if err := l.write(data, at+openData); err != nil {
		return err
	}
	o := &openChunk{at: at, n: l.b.NumChunks(), gen: generation(l.Pending()), size: len(data), digest: *newDigest(data)}
	head := o.mark().append(make([]byte, 0, openData))
	head = appendFlushSlot(head, o.size, o.digest.Sum64())
	if err := l.write(append(head, make([]byte, openData-len(head))...), at); err != nil {
		return err
	}
	l.open = o
	return nil
}

// sealedTail returns the extent of the tail of the sealed frame, if there is one.
func (l *chunkLog) sealedTail() span64 {
	if l.committed == nil {
		return span64{}
	}
	return l.committed.tail
}

// grow adds the bytes of data that are not in the open chunk yet.
func (l *chunkLog) grow(data []byte) error {
	o := l.open
	more := data[o.size:]
	if err := l.write(more, o.at+openData+int64(o.size)); err != nil {
		return err
	}
	o.digest.Write(more)
	o.size = len(data)
	return l.writeFlushSlot()
}

// writeFlushSlot records the length and digest of the open chunk or slab in a slot of its
// head.
func (l *chunkLog) writeFlushSlot() error {
	o := l.open
	o.flush = 1 - o.flush
	slot := appendFlushSlot(l.slot[:0], o.units(), o.digest.Sum64())
	return l.write(slot, o.at+openFlush+int64(o.flush)*flushSlotLen)
}

// Put writes the next chunk, which holds nbytes decoded bytes. The first cbytes bytes of
// c are the chunk; the rest is its record.
func (l *chunkLog) Put(c []byte, cbytes, nbytes int) error {
	if l.committed != nil {
		if err := l.begin(); err != nil {
			return err
		}
	}
	if l.head != nil {
		if err := l.write(l.head, 0); err != nil {
			return err
		}
		l.head = nil
	}
	if err := l.makeWayFor(c, nbytes); err != nil {
		return err
	}
	// First write zeros where the chunk's record will be. Otherwise a search for
	// uncommitted chunks might find an old record there and mistake it for the chunk's.
	// The zeros end the search.
	var wall [2 * recordLen]byte
	if l.begun {
		next := l.b.pos + int64(len(c))
		if err := l.write(wall[:], next-recordLen); err != nil {
			return err
		}
		if err := l.clearOpen(next, l.b.NumChunks()+1); err != nil {
			return err
		}
	}
	if err := l.writeChunk(c); err != nil {
		return err
	}
	if err := l.b.AddChunk(nbytes, cbytes); err != nil {
		return err
	}
	l.dirty = true
	l.since += int64(len(c))
	if y := l.rows; y != nil {
		if l.b.NumChunks()%y.chunks == 0 {
			return l.slabPut()
		}
		return nil
	}
	if o := l.open; o != nil {
		l.open, l.stale = nil, append(l.stale, o.at)
		if c := l.committed; c != nil && c.last.start == o.at {
			c.last.end = o.at + openData + int64(o.size) // keep the bytes that readers may have read
		}
	}
	l.short, l.entry = nil, nil
	return l.destroyStale()
}

// makeWayFor makes way for c or, if c is the first chunk of a slab, for the whole slab:
// see makeWay.
func (l *chunkLog) makeWayFor(c []byte, nbytes int) error {
	switch y := l.rows; {
	case y == nil:
		return l.makeWay(c, nbytes)
	case l.b.NumChunks()%y.chunks == 0:
		return l.makeWayForRows()
	}
	return nil
}

// writeChunk writes a finished chunk. If the chunk has no digest, its first byte is
// written last, so that an incomplete chunk is not treated as a chunk.
func (l *chunkLog) writeChunk(c []byte) error {
	if l.b.checks || !l.begun {
		return l.write(c, l.b.pos)
	}
	if err := l.write([]byte{0}, l.b.pos); err != nil {
		return err
	}
	if err := l.write(c[1:], l.b.pos+1); err != nil {
		return err
	}
	return l.write(c[:1], l.b.pos)
}

// destroyStale destroys the heads of finished open chunks, so that no reader interprets
// the bytes that will be written there. It keeps a head that the sealed frame needs.
func (l *chunkLog) destroyStale() error {
	keep := l.stale[:0]
	for _, at := range l.stale {
		if c := l.committed; c != nil && c.last.start == at {
			keep = append(keep, at)
		} else if err := l.write(make([]byte, recordLen), at); err != nil {
			return err
		}
	}
	l.stale = keep
	return nil
}

// makeWay ensures that c can be written at the Builder's position.
func (l *chunkLog) makeWay(c []byte, nbytes int) error {
	l.largest = max(l.largest, int64(nbytes), int64(len(c)))
	needs := span64{l.b.pos, l.b.pos + int64(len(c)) + recordLen}
	if l.open == nil && l.short != nil && needs.meets(l.short.span64) {
		if err := l.displace(c, nbytes); err != nil {
			return err
		}
	}
	if !l.pinned(needs) {
		return nil
	}
	if needs.meets(l.committed.last) {
		if err := l.commit(true, nil, false); err != nil {
			return err
		}
	}
	return l.freeTail(needs)
}

// freeTail ensures that the next writes do not overwrite the tail of the sealed frame.
func (l *chunkLog) freeTail(needs span64) error {
	if !needs.meets(l.committed.tail) {
		return nil
	}
	// Continuing after the tail would waste it and the space before it. It would also
	// overwrite an open chunk there.
	tail := l.committed.tail
	if waste := tail.end - l.b.pos; l.open == nil && l.b.pos < tail.start && l.since >= 8*waste {
		return l.jump()
	}
	return l.commit(true, nil, true)
}

// displace commits c at another position before Put writes it to its own. There it will
// overwrite its short form, which holds the only copy of the flushed data.
func (l *chunkLog) displace(c []byte, nbytes int) error {
	if err := l.begin(); err != nil {
		return err
	}
	at := alignUp(max(l.end, l.b.pos+chunkRoom(int64(nbytes))))
	mark := displacedMark(at, l.b.NumChunks())
	if err := l.write(append(mark.append(nil), c...), at); err != nil {
		return err
	}
	at += recordLen
	return l.commit(true, &lastChunk{span64: span64{at, at + int64(len(c))}, nbytes: int64(nbytes)}, false)
}

// jump moves the Builder's position after the tail of the sealed frame.
func (l *chunkLog) jump() error {
	end := l.committed.tail.end
	if err := l.clear(end); err != nil {
		return err
	}
	if err := l.clearOpen(end, l.b.NumChunks()); err != nil {
		return err
	}
	skip := record{kind: kindSkip, value: uint64(end - l.b.pos)}
	err := l.write(skip.append(nil), l.b.pos)
	l.b.pos = end
	return err
}

// write writes at an offset in the frame.
func (l *chunkLog) write(b []byte, at int64) error {
	n, err := l.file.WriteAt(b, l.base+at)
	if n < len(b) && err == nil {
		err = io.ErrShortWrite
	}
	l.end = max(l.end, at+int64(n))
	return err
}
