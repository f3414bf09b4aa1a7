package frame

import (
	"slices"

	"github.com/seed03b80dae/blosc2/header"
)

// longHeader is the length of the longest header that is accepted only because of the
// chunks after it. Real headers have some hundred bytes; the limit bounds the search.
const longHeader = 64 << 10

// headerEnd returns the end of the header, if the first chunk with a valid digest is at
// offset at. Earlier chunks may be damaged. The end follows from an index, which holds
// offsets from the header's end, or from the records before at, each of which holds the
// length of its chunk.
func (r *repairer) headerEnd(at int64) int64 {
	if n := r.endByIndex(at); n > 0 {
		return n
	}
	for {
		start := r.chunkBefore(at)
		if start < 0 {
			return at - recordLen
		}
		at = start
	}
}

// fitting is the number of entries of an index that endByIndex compares with the file:
// each takes a read, and a wrong end does not fit even a few of them.
const fitting = 64

// endByIndex returns the end of the header according to the newest index. It tries each
// entry of the index as that of the chunk at offset at. It returns the end for which the
// last chunk ends at the index and most other chunks have their records, or 0 if there is
// no index.
func (r *repairer) endByIndex(at int64) (end int64) {
	var index []int64
	mark := int64(-1)
	for at := range places(r.src, at, r.size, appendEndMark(nil, int(r.h.TypeSize))) {
		if entries, _, _, ok := r.readTail(at + endMarkLen); ok && len(entries) > 0 {
			index, mark = entries, at
		}
	}
	if index == nil {
		return 0
	}
	last := slices.Max(index)
	most := 0
	for _, o := range index {
		n := at - o
		if o < recordLen || n < header.MinLen || n > longHeader {
			continue
		}
		if _, ok := readChunkRecord(r.src, mark-recordLen, mark-recordLen-(n+last)); !ok {
			continue
		}
		fits := 0
		for _, other := range index[max(len(index)-fitting, 0):] {
			var head [minChunk]byte
			if k, _ := r.src.ReadAt(head[:], n+other); other < 0 || k < len(head) {
				continue
			}
			if _, next := r.chunkAt(n+other, head[:]); next > 0 {
				fits++
			}
		}
		if fits > most {
			end, most = n, fits
		}
	}
	return end
}

// chunkBefore returns the start of the chunk whose record ends at offset at, or -1 if
// there is no such record. The record holds only the low 16 bits of the length. Of the
// possible starts it returns one that a record precedes, or otherwise the first.
func (r *repairer) chunkBefore(at int64) int64 {
	rec, ok := readRecord(r.src, at-recordLen)
	if !ok || rec.kind != kindChunk {
		return -1
	}
	first := int64(-1)
	for start := at - recordLen - int64(rec.small); start >= header.MinLen+recordLen; start -= 1 << 16 {
		if before, ok := readRecord(r.src, start-recordLen); ok && (before.kind == kindChunk || before.kind == kindHeader) {
			return start
		}
		first = start
	}
	return first
}
