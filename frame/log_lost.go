package frame

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// Uncommitted chunks are found one by one, each after the end of the previous one. A
// damaged chunk ends the search, and later ones are not part of the frame. A power
// failure can lose flushed data in this way. The frame can be read up to the damage, but
// the loss is reported. A writer that continues there overwrites the later chunks. If
// some of them are intact, it does so only with the option DropDamaged.

// A loss describes data of an open frame that were flushed but are damaged, so that a
// Reader does not have them.
type loss struct {
	err       error  // a *blosc2.FormatError
	later     bool   // continuing would overwrite intact data
	committed bool   // the damaged data are committed, so that no writer can drop them
	chunk     bool   // a finished chunk is damaged, so that others may follow it
	right     []byte // the correct bytes of a damaged header; nil if unknown
	at        int64  // offset of right
}

// Lost returns an error if bytes that the writer of an open frame has flushed and not
// committed are damaged, so that the frame ends before them. The error wraps
// blosc2.ErrChecksum or blosc2.ErrCorrupt, and names the chunk and its offset. Reading
// returns the same error after the last item. Lost returns nil if no loss is known.
// Repair saves intact chunks after the damage.
//
// Lost also returns an error if committed bytes of the last chunk of an open frame are
// damaged. Then reading that chunk fails.
func (f *Reader) Lost() error {
	if f.lost == nil {
		return nil
	}
	return f.lost.err
}

// ended returns the error for reading after the last chunk.
func (f *Reader) ended() error {
	if f.lost != nil {
		return f.lost.err
	}
	return f.end
}

// lose records a loss of chunk n at an offset. Of several it keeps the first one, or the
// first that intact data follow, because a writer may continue only if there are none.
func (f *Reader) lose(n, at int64, l loss, wrapped error, format string, args ...any) {
	if f.lost == nil || l.later && !f.lost.later {
		l.err = blosc2.At(blosc2.Errorf(blosc2.PartChunk, wrapped, format, args...), n, at)
		f.lost = &l
	}
}

// checkSlots records a loss if a flush slot of the open chunk or slab o does not match
// its data. head is the head of o as it was read. If it has changed, or the file has
// grown, the writer is active, and there is no loss. digest returns the digest of a
// number of bytes or rows, if there are so many.
func (f *Reader) checkSlots(o *openChunk, head []byte, digest func(units int64) (uint64, bool)) {
	wrong := false
	for i := range 2 {
		b := head[openFlush+i*flushSlotLen:]
		units, want := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		if units == 0 && want == 0 {
			continue
		}
		sum, ok := digest(int64(units))
		wrong = wrong || !ok || uint32(sum) != want
	}
	if wrong && f.writerIdle(o, head[:openCommit]) {
		f.lose(o.n, o.at, loss{}, blosc2.ErrChecksum, "some of its bytes, flushed but not committed, are damaged or missing")
	}
}

// writerIdle reports whether the writer of the open chunk or slab o seems to be
// inactive: the head of o is still the one that was read, and the source is not longer.
func (f *Reader) writerIdle(o *openChunk, head []byte) bool {
	if f.hasGrown() {
		return false
	}
	now := make([]byte, len(head))
	n, _ := f.src.ReadAt(now, o.at)
	return n == len(now) && bytes.Equal(now, head)
}

// loseOpen records a loss if the committed bytes of the open chunk or slab are damaged
// and there is no finished form of it.
func (f *Reader) loseOpen() {
	if p := f.progress; p != nil && p.open != nil && p.open.damaged {
		f.lost = nil
		f.lose(p.open.n, p.open.at, loss{committed: true}, blosc2.ErrChecksum, "its committed bytes are damaged; data flushed after them are lost too")
	}
}

// hasGrown reports whether the source has become longer.
func (f *Reader) hasGrown() bool {
	if f.sizeNow() > f.size || f.origin == nil {
		return f.origin != nil
	}
	n, _ := f.origin.ReadAt(make([]byte, 1), f.size)
	return n > 0
}

// loseChunk records that the next chunk after p does not match the digest in
// its record.
func (f *Reader) loseChunk(p *progress, at int64, later bool) {
	it, err := f.view(at).fetch(nil, 0)
	if err == nil && f.halfWritten(it.Chunk, at) || f.loseCorrectable(p.n, at) {
		return
	}
	follows := ""
	if later = later || f.intactAfter(p, at); later {
		follows = "; what was flushed after it is intact"
	}
	f.lose(p.n, at, loss{later: later, chunk: true}, blosc2.ErrChecksum, "it was flushed but not committed, and does not match its digest%s", follows)
}

// halfWritten reports whether the bytes after the chunk c at an offset are the beginning
// of its record, followed by zeros. Then its writer has died while writing the record.
func (f *Reader) halfWritten(c []byte, at int64) bool {
	var have [recordLen]byte
	f.src.ReadAt(have[:], at+int64(len(c)))
	n, want := 0, framing.AppendChunkRecord(nil, c)
	for n < len(have) && have[n] == want[n] {
		n++
	}
	return f.mark.checks && isZero(have[n:])
}

// refuseLoss returns the error for continuing before a loss. It returns nil if that
// overwrites no intact data.
func (f *Reader) refuseLoss() error {
	switch {
	case f.lost == nil:
		return nil
	case f.lost.committed:
		return fmt.Errorf("%w; repair saves the other chunks", f.lost.err)
	case !f.lost.later && !f.cfg.noLoss || f.cfg.dropDamaged:
		return nil
	}
	if !f.lost.later {
		return fmt.Errorf("%w; repair saves what is intact, and the option DropDamaged drops the rest", f.lost.err)
	}
	return fmt.Errorf("%w; continuing here would overwrite intact data after it: repair saves them, and the option DropDamaged drops them", f.lost.err)
}

// dropDue destroys the damaged remains of the next chunk and of its open chunk.
func (l *chunkLog) dropDue() error {
	var places []int64
	if l.short == nil || l.short.start != l.b.pos {
		places = append(places, l.b.pos)
	}
	if size := int64(l.b.h.ChunkSize); l.open == nil && size > 0 {
		places = append(places, placeAfter(l.b.pos, size, l.rows, l.sealedTail()))
	}
	for _, at := range places {
		if wall := (span64{at, at + recordLen}); at < l.end && !l.pinned(wall) {
			if err := l.write(make([]byte, recordLen), at); err != nil {
				return err
			}
		}
	}
	return nil
}
