package frame

import (
	"bytes"
	"io"
	"iter"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// walk finds chunks front to back from offset at. It continues after damaged ones, until
// it cannot find another chunk.
func (r *repairer) walk(at int64) {
	again := false
	for {
		var head [minChunk]byte
		if n, _ := r.src.ReadAt(head[:], at); n < len(head) {
			return
		}
		switch rec, ok := parseRecord(head[:]); {
		case ok && rec.kind == kindContinue && len(r.found) > 0:
			again = true
			at += recordLen
			continue
		case ok && rec.kind == kindSkip && rec.value >= minChunk && rec.value <= uint64(r.size-at):
			at += int64(rec.value)
			continue
		case r.isEndMark(head[:]):
			next, ok := r.tail(at)
			switch {
			case ok && (r.h.FrameLen != 0 || r.whole != nil || r.rebuilt && r.partAt(next)):
				if at = next; r.wall(at) {
					return
				}
			case !ok && r.o.guess: // C-Blosc2 writes chunks over an index
				at += endMarkLen
			default:
				return
			}
			continue
		}
		c, next := r.chunkAt(at, head[:])
		if next == 0 {
			if frameAt(r.src, at) {
				return
			}
			if next = r.resync(at); next == 0 {
				if next = r.nextProven(at); next == 0 {
					return
				}
				if next == at+recordLen && r.continues(next) {
					again, at = true, next
					continue
				}
				c = found{at: at, err: lostError(at), gap: true}
			} else if c.at < 0 {
				c = found{at: at, err: lostError(at)}
			}
		} else if r.isIndex(c) {
			return
		}
		if !again && r.endsShort() {
			// Only a longer chunk that replaces this one may follow.
			if c.err != nil || !r.continues(c.at) {
				at = next
				continue
			}
			again = true
		}
		if again {
			r.found = r.found[:len(r.found)-1]
			again = false
		}
		if c.at >= 0 {
			r.found = append(r.found, c)
		}
		at, r.end = next, next
	}
}

// wall reports whether there are zeros at offset at which an Editor has written before
// changes that break the order of the chunks. These changes were never committed.
func (r *repairer) wall(at int64) bool {
	var b [recordLen]byte
	n, _ := r.src.ReadAt(b[:], at)
	return n == len(b) && b == [recordLen]byte{}
}

// next returns the offset of the frame after the current one, or 0 if there is none. If
// the length of the current frame is unknown, it searches after its last chunk.
func (r *repairer) next() int64 {
	end := int64(r.h.FrameLen)
	if r.whole != nil {
		end = r.whole.FrameLen()
	}
	if end > 0 {
		if !frameAt(r.src, end) {
			return 0
		}
		return end
	}
	for _, c := range r.found {
		end = max(end, c.at)
	}
	for at := range places(r.src, max(end, int64(len(r.raw))), r.size, []byte(Magic)) {
		var b [header.MinPrefix]byte
		if n, _ := r.src.ReadAt(b[:], at); n == len(b) {
			if _, err := header.Size(b[:]); err == nil {
				return at
			}
		}
	}
	return 0
}

// find returns the first offset in [at, end) of the bytes what, or -1 if there is none.
func find(r io.ReaderAt, at, end int64, what []byte) int64 {
	for at := range places(r, at, end, what) {
		return at
	}
	return -1
}

// places yields all offsets in [at, end) of the bytes what.
func places(r io.ReaderAt, at, end int64, what []byte) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		const window = 1 << 16
		more := int64(len(what) - 1)
		for k := int64(1 << 10); at < end; k = min(2*k, window) {
			buf := make([]byte, min(k+more, end-at))
			n, _ := r.ReadAt(buf, at)
			for from := 0; ; {
				i := bytes.Index(buf[from:n], what)
				if i < 0 {
					break
				}
				if !yield(at + int64(from+i)) {
					return
				}
				from += i + 1
			}
			if int64(len(buf)) < k+more {
				return
			}
			at += k
		}
	}
}

func (r *repairer) isEndMark(b []byte) bool {
	return bytes.Equal(b, appendEndMark(nil, int(r.h.TypeSize)))
}

// nextWhole finds the next chunk after offset at whose digest is valid. The previous
// chunk has last decoded bytes, and the next one may replace it. An uncommitted tail may
// be in between.
func (r *repairer) nextWhole(at, last int64) (c found, next int64, ok bool) {
	for {
		var head [minChunk]byte
		if n, _ := r.src.ReadAt(head[:], at); n < len(head) {
			return c, 0, false
		}
		rec, isRecord := parseRecord(head[:])
		switch {
		case isRecord && rec.kind == kindContinue && rec.value == uint64(last) && !c.again:
			c.again = true
			at += recordLen
			continue
		case r.isEndMark(head[:]) && !c.again:
			if _, _, at, ok = r.readTail(at + endMarkLen); !ok {
				return c, 0, false
			}
			continue
		}
		again := c.again
		if c, next = r.chunkAt(at, head[:]); next == 0 {
			return c, 0, false
		}
		c.again = again
		it, err := r.read(nil, c)
		return c, next, err == nil && it.Verify() == nil
	}
}

// chunkAt returns the offset after the chunk at offset at. It returns 0 if there is no
// chunk with a reliable end.
func (r *repairer) chunkAt(at int64, head []byte) (c found, next int64) {
	nbytes, cbytes := chunkNBytes(head), chunkCBytes(head)
	c = found{at: at, nbytes: nbytes}
	if !r.plausible(head) {
		return found{at: at, err: lostError(at)}, 0
	}
	end := at + cbytes
	if end > r.size {
		return found{at: -1}, 0
	}
	var b [recordLen]byte
	n, _ := r.src.ReadAt(b[:], end)
	rec, ok := parseRecord(b[:n])
	switch {
	case ok && rec.isOf(cbytes):
	case !r.checks:
		return c, end
	case n < len(b):
		return found{at: -1}, 0
	case r.resync(at) == 0 && r.recordDamaged(end+recordLen):
	default:
		return found{at: at, err: lostError(at)}, 0
	}
	return c, end + recordLen
}

// plausible reports whether a chunk may begin with head.
func (r *repairer) plausible(head []byte) bool {
	nbytes, cbytes := chunkNBytes(head), chunkCBytes(head)
	return head[0] >= 1 && head[0] <= chunk.VersionVL && nbytes > 0 && nbytes <= r.o.limits.Chunk &&
		cbytes >= minChunk && cbytes <= r.o.limits.Chunk+chunk.Overhead
}

// recordDamaged reports whether the record before offset at is damaged, and not its chunk.
// That is so if something intact begins at offset at: a chunk with its record, an end
// mark, or a damaged chunk that ends at its record.
func (r *repairer) recordDamaged(at int64) bool {
	var head [minChunk]byte
	if n, _ := r.src.ReadAt(head[:], at); n < len(head) {
		return n == 0
	}
	if _, ok := parseRecord(head[:]); ok || r.isEndMark(head[:]) {
		return true
	}
	if r.plausible(head[:]) {
		cbytes := chunkCBytes(head[:])
		if _, ok := readChunkRecord(r.src, at+cbytes, cbytes); ok {
			return true
		}
	}
	return r.resync(at) > 0 || r.nextProven(at) > 0
}

// nextProven returns the offset of the next chunk with a valid digest after the
// chunk at offset at, if that and its record are damaged, or 0 if there is none.
func (r *repairer) nextProven(at int64) int64 {
	if !r.checks {
		return 0
	}
	from, limit := at, min(r.size, at+2*(r.o.limits.Chunk+chunk.Overhead+recordLen))
	for end := range places(r.src, at+1, limit, []byte(framing.RecordMagic)) {
		rec, ok := readRecord(r.src, end)
		if !ok || rec.kind != kindChunk {
			continue
		}
		for at = end - int64(rec.small); at > from; at -= 1 << 16 {
			if !r.afford(4096) {
				return 0
			}
			var b [minChunk]byte
			n, _ := r.src.ReadAt(b[:], at)
			if n < len(b) || !r.plausible(b[:]) || chunkCBytes(b[:]) != end-at || !r.afford(end-at) {
				continue
			}
			if it, err := r.read(nil, found{at: at}); err == nil && it.Verify() == nil {
				return at
			}
		}
	}
	return 0
}

// afford reports whether a search may read n more bytes, and counts them.
func (r *repairer) afford(n int64) bool {
	r.budget -= n
	return !r.bounded || r.budget >= 0
}

// continues reports whether the chunk at offset at begins with the data of the last chunk
// found, and has more. Then a damaged record between them must be a continue record.
func (r *repairer) continues(at int64) bool {
	n := len(r.found)
	var head [minChunk]byte
	k, _ := r.src.ReadAt(head[:], at)
	return n > 0 && k == len(head) && r.found[n-1].nbytes > 0 && r.found[n-1].nbytes < chunkNBytes(head[:]) &&
		(r.h.ChunkSize <= 0 || r.found[n-1].nbytes < int64(r.h.ChunkSize))
}

// endsShort reports whether the last chunk found is shorter than the frame's chunk size.
// Then no other chunk follows it.
func (r *repairer) endsShort() bool {
	n := len(r.found)
	if n == 0 || r.h.VariableChunks || r.h.ChunkSize <= 0 {
		return false
	}
	last := r.found[n-1]
	if last.at < 0 || last.err != nil || last.nbytes <= 0 || last.nbytes >= int64(r.h.ChunkSize) {
		return false
	}
	it, err := r.read(nil, last) // the header in the found chunk may be damaged
	return err == nil && it.Verify() == nil
}

// partAt reports whether there is a chunk or a record at offset at.
func (r *repairer) partAt(at int64) bool {
	var head [minChunk]byte
	if n, _ := r.src.ReadAt(head[:], at); n < len(head) {
		return false
	}
	_, ok := parseRecord(head[:])
	return ok || r.plausible(head[:])
}

func lostError(at int64) error {
	return errorAt(at, blosc2.PartChunk, blosc2.ErrCorrupt, "its header is damaged")
}

// resync looks for the record of the damaged chunk at offset at. That is a record with
// the length of the bytes between. It returns the offset after the record, or 0 if there
// is none.
func (r *repairer) resync(at int64) int64 {
	if !r.checks {
		return 0
	}
	limit := min(r.size, at+r.o.limits.Chunk+chunk.Overhead+recordLen)
	for end := range places(r.src, at+1, limit, []byte(framing.RecordMagic)) {
		if _, ok := readChunkRecord(r.src, end, end-at); ok {
			return end + recordLen
		}
	}
	return 0
}
