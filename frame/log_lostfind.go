package frame

import (
	"bytes"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// findLost looks for data that were flushed after the offset where the search
// ended.
func (f *Reader) findLost() {
	p := f.progress
	if f.lost != nil || p == nil || p.short != nil {
		return
	}
	if f.fixed() && p.open == nil && f.openDamaged(p) {
		return
	}
	var head [minChunk]byte
	n, _ := f.src.ReadAt(head[:], p.next)
	// There is no loss if there are zeros here: the writer of an open frame writes them
	// at the offset of the next chunk.
	if n < len(head) || isZero(head[:recordLen]) || bytes.HasPrefix(head[:], appendEndMark(nil, int(f.h.TypeSize))[:recordLen]) ||
		(span64{p.next, p.next + recordLen}).meets(p.tail) {
		return
	}
	if rec, ok := parseRecord(head[:]); ok && rec.kind == kindSkip { // the writer has continued
		return
	}
	if f.cutOff(p, head[:]) {
		return
	}
	num, at := p.n, p.next
	if y := f.growingRows(); y != nil { // find the first damaged chunk of the next slab
		for e, ok := f.flushedChunk(at); ok && e.nbytes == y.size && num < p.n+y.chunks-1; e, ok = f.flushedChunk(at) {
			num, at = num+1, e.end
		}
	}
	switch {
	case f.loseCorrectable(num, at):
	case f.onlyRecordDamaged(num, at):
	case f.intactAfter(p, at):
		if _, written := f.flushedChunk(at); written { // the writer has just finished it
			return
		}
		f.lose(num, at, loss{later: true, chunk: true}, blosc2.ErrCorrupt, "it was flushed but not committed, and is damaged; what was flushed after it is intact")
	}
}

// cutOff reports whether the file ends within the next chunk, which begins with head, and
// records the loss. A writer extends the file before it writes a chunk, so the end was
// lost.
func (f *Reader) cutOff(p *progress, head []byte) bool {
	if f.size < p.tail.end || !f.repairer().plausible(head) || p.next+chunkCBytes(head)+recordLen <= f.size || f.hasGrown() {
		return false
	}
	f.lose(p.n, p.next, loss{chunk: true}, blosc2.ErrCorrupt, "the file ends in it: data that were flushed but not committed are missing")
	return true
}

func isZero(b []byte) bool { return len(bytes.Trim(b, "\x00")) == 0 }

// duePlace returns the offset of the open chunk or slab for the next chunk, and the
// number in its mark.
func (f *Reader) duePlace(p *progress) (at, number int64) {
	y := f.growingRows()
	if number = p.n; y != nil {
		number |= rowsMark
	}
	return placeAfter(p.next, int64(f.h.ChunkSize), y, p.tail), number
}

// growingRows returns the layout of the rows in f. It returns nil if f does not hold a
// growing array.
func (f *Reader) growingRows() *rowLayout {
	if f.rows != nil {
		return f.rows
	}
	if y := rowsOf(f.h); f.inRows(y) {
		return y
	}
	return nil
}

// openDamaged reports whether the record at the head of the next open chunk is
// damaged, and records the loss.
func (f *Reader) openDamaged(p *progress) bool {
	at, number := f.duePlace(p)
	var b [recordLen]byte
	if n, _ := f.src.ReadAt(b[:], at); n < len(b) {
		return false
	}
	if _, ok := parseOpenMark(b[:], at, number); ok && at+openData > f.size && !f.hasGrown() {
		f.lose(p.n, at, loss{}, blosc2.ErrCorrupt, "the file ends in the open chunk: data that were flushed but not committed are missing")
		return true
	}
	now := b
	if !openMarkDamaged(b[:], at, number) {
		return false
	}
	if n, _ := f.src.ReadAt(now[:], at); n < len(now) || now != b { // the writer is writing it
		return false
	}
	f.lose(p.n, at, loss{later: true}, blosc2.ErrCorrupt, "it was flushed but not committed, and the record at the head of the open chunk is damaged")
	return true
}

// openMarkDamaged reports whether b begins with the record of an open chunk that is
// damaged in at most three bytes.
func openMarkDamaged(b []byte, at, number int64) bool {
	if _, ok := parseOpenMark(b, at, number); ok {
		return false
	}
	wrong := 0
	for i, v := range openMark(at, number, 0).append(nil) {
		if b[i] != v && i/2 != 3 { // bytes 6 and 7 are the generation
			wrong++
		}
	}
	return wrong <= 3
}

// loseCorrectable reports whether the chunk at an offset is intact except for one bit
// of its header, and records the loss.
func (f *Reader) loseCorrectable(n, at int64) bool {
	right := f.correctedHeader(at)
	if right != nil {
		f.lose(n, at, loss{later: true, right: right, at: at}, blosc2.ErrCorrupt, "it was flushed but not committed, and a bit of its header is damaged")
	}
	return right != nil
}

// correctedHeader returns the corrected header of a chunk if one bit of it is damaged,
// as its record shows. Otherwise it returns nil.
func (f *Reader) correctedHeader(at int64) []byte {
	var head [minChunk]byte
	if k, _ := f.src.ReadAt(head[:], at); k < len(head) || !f.mark.checks {
		return nil
	}
	r := f.repairer()
	for bit := range 8 * recordLen {
		right := head
		right[bit/8] ^= 1 << (bit % 8)
		cbytes := chunkCBytes(right[:])
		if !r.plausible(right[:]) || cbytes > f.size-at-recordLen {
			continue
		}
		rec, ok := readChunkRecord(f.src, at+cbytes, cbytes)
		if !ok || !r.afford(cbytes) {
			continue
		}
		c := make([]byte, cbytes)
		// If the chunk no longer begins with head, its writer has just written it.
		if k, _ := f.src.ReadAt(c, at); k == len(c) && bytes.HasPrefix(head[:], c[:min(len(c), len(head))]) {
			copy(c, right[:])
			if framing.Digest(c) == rec.value {
				return right[:]
			}
		}
	}
	return nil
}

// onlyRecordDamaged reports whether the chunk at an offset is intact except for its
// record, and records the loss.
func (f *Reader) onlyRecordDamaged(n, at int64) bool {
	if _, whole := f.flushedChunk(at); whole || !f.mark.checks {
		return false
	}
	it, ok := f.repairer().readWithoutRecord(n, found{at: at})
	if !ok || f.halfWritten(it.Chunk, at) {
		return false
	}
	right := loss{later: true, right: framing.AppendChunkRecord(nil, it.Chunk), at: at + int64(len(it.Chunk))}
	f.lose(n, at, right, blosc2.ErrCorrupt, "it was flushed but not committed, and the record after it is damaged")
	return true
}

// repairer returns a repairer that looks for chunks of f as Repair does, at most
// one chunk away.
func (f *Reader) repairer() *repairer {
	lim := f.cfg.limits
	if size := int64(f.h.ChunkSize); f.fixed() && size > 0 {
		lim.Chunk = min(lim.Chunk, size)
	}
	return &repairer{o: config{limits: lim}, src: f.src, size: f.size, h: f.h, raw: f.raw, order: true, checks: f.mark.checks, bounded: true, budget: lostBudget}
}

// lostBudget is the limit for the search for lost data, in bytes read, so that no input
// makes it long. Looking at an offset counts as 4096 bytes.
const lostBudget = 256 << 20

// anyIntact reports whether all chunks of any of the steps are intact.
func (f *Reader) anyIntact(added []step) bool {
	return slices.ContainsFunc(added, func(s step) bool { return f.allIntact(s.chunks) })
}

// allIntact reports whether all of the chunks are intact.
func (f *Reader) allIntact(chunks []*extent) bool {
	return !slices.ContainsFunc(chunks, func(e *extent) bool { return !f.intact(e.start) })
}

// hasNextOpen reports whether there is an open chunk for the next chunk.
func (f *Reader) hasNextOpen(p *progress) bool {
	at, number := f.duePlace(p)
	_, ok := readOpenMark(f.src, at, number)
	return ok
}

// intactAfter reports whether any data are intact that were flushed after the next chunk.
// That chunk is at the given offset and follows p.
func (f *Reader) intactAfter(p *progress, place int64) bool {
	y := f.growingRows()
	switch {
	case y != nil:
		at, _ := f.openAfter(p.n, place, y)
		return p.open != nil && p.open.done || at > 0
	case f.fixed():
		at, _ := f.openAfter(p.n, place, nil)
		return at > 0 || f.chunkAfter(place)
	}
	return f.chunkAfter(place)
}

// chunkAfter reports whether an intact chunk follows the one at an offset, within twice
// its largest size. In a frame of fixed chunk size the chunk must be full: short chunks,
// and the chunks of unfinished slabs, may be remains from earlier.
func (f *Reader) chunkAfter(place int64) bool {
	r := f.repairer()
	for at := r.nextProven(place); at > 0; at = r.nextProven(at) {
		var b [recordLen + minChunk]byte
		n, _ := f.src.ReadAt(b[:], at-recordLen)
		rec, ok := parseRecord(b[:])
		displaced := ok && rec.kind == kindOpen // a copy of a chunk, see chunkLog.displace
		if n == len(b) && !displaced && (!f.fixed() || chunkNBytes(b[recordLen:]) == int64(f.h.ChunkSize)) {
			return true
		}
	}
	return false
}

// openAfter returns the offset and number of the open chunk or slab with the
// highest number after an offset, or 0 if none has a number above n.
func (f *Reader) openAfter(n, from int64, y *rowLayout) (at, number int64) {
	step, mark := int64(1), int64(0)
	if y != nil {
		step, mark = y.chunks, rowsMark
	}
	prefix := record{kind: kindOpen}.append(nil)[:6]
	tries := 1 << 20 // a limit for this search too
	for place := range places(f.src, alignUp(from+1), f.size, prefix) {
		var b [recordLen]byte
		if got, _ := f.src.ReadAt(b[:], place); got < len(b) || place%openAlign != 0 {
			continue
		}
		for k := n + step; k <= n+step*((place-from)/minChunk); k += step {
			if tries--; tries < 0 {
				return at, number
			}
			if _, ok := parseOpenMark(b[:], place, k|mark); ok && k > number {
				at, number = place, k
			}
		}
	}
	return at, number
}
