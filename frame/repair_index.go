package frame

import (
	"encoding/binary"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// useDamagedIndex uses a damaged index, or an index with a damaged trailer. It takes
// the entries that are distinct chunks with valid digests, and reports whether there
// are any. For the other entries it tries the remaining chunks. It accepts these if the
// digest of the tail is then right, or if they are as many as the entries and the offsets
// of all chunks ascend.
func (r *repairer) useDamagedIndex() bool {
	if !r.verified || !r.checks || r.h.ChunkSize <= 0 || r.h.VariableChunks || r.h.CBytes < endMarkLen {
		return false
	}
	size := int64(r.h.ChunkSize)
	n := (r.h.NBytes-1)/size + 1
	at := int64(len(r.raw)) + r.h.CBytes
	if r.h.NBytes <= 0 || n > r.o.limits.Index/8 || at+chunk.Overhead+8*n > r.size {
		return false
	}
	b := make([]byte, 8*n)
	if k, _ := r.src.ReadAt(b, at+chunk.Overhead); k < len(b) {
		return false
	}
	named := map[int64]int{}
	for i := range n {
		o := int64(binary.LittleEndian.Uint64(b[8*i:]))
		c := found{at: -1, special: o < 0, entry: o, err: errEntry}
		if _, ok := specialOf(o); c.special && ok && uint64(o)<<8 == 0 {
			c.err = nil
		} else if c.special = false; o >= 0 && o < r.h.CBytes {
			c.at = int64(len(r.raw)) + o
			named[c.at]++
		}
		r.found = append(r.found, c)
	}
	for i := range r.found {
		if c := &r.found[i]; c.at >= 0 && named[c.at] == 1 {
			if it, err := r.take(nil, int64(i), found{at: c.at}); err == nil && int64(it.NBytes) == min(size, r.h.NBytes-int64(i)*size) {
				c.err = nil
			}
		}
	}
	if !slices.ContainsFunc(r.found, func(c found) bool { return c.err == nil }) {
		r.found = nil
		return false
	}
	r.fitEntries(at)
	return true
}

var errEntry = blosc2.Errorf(blosc2.PartIndex, blosc2.ErrCorrupt, "its entry is damaged")

// fitTries is the largest number of indexes that are compared with the digest of a tail.
// It bounds the time of a repair.
const fitTries = 1 << 16

// fitEntries looks for the chunks of the damaged entries in an index, which begins at
// offset at, and for the vlmetalayers after it.
func (r *repairer) fitEntries(at int64) {
	taken := map[int64]bool{}
	var missing []int
	for i, c := range r.found {
		if c.err != nil {
			missing = append(missing, i)
		}
		taken[c.at] = taken[c.at] || c.err == nil
	}
	var free []int64
	for _, place := range r.allChecked() {
		if !taken[place] {
			free = append(free, place)
		}
	}
	if len(missing) > 16 {
		return
	}
	tries := 0
	var fit func(k int) bool
	fit = func(k int) bool {
		if tries++; k == len(missing) {
			return r.tailMatches(at)
		}
		c := &r.found[missing[k]]
		for i, place := range free {
			if place < 0 || tries > fitTries {
				continue
			}
			*c, free[i] = found{at: place}, -1
			if fit(k + 1) {
				return true
			}
			free[i] = place
		}
		for _, bits := range []int64{1, 2, 4} {
			if *c = (found{at: -1, special: true, entry: -1<<63 | bits<<56}); tries <= fitTries && fit(k+1) {
				return true
			}
		}
		*c = found{at: -1, err: errEntry}
		return false
	}
	if fit(0) || len(free) != len(missing) {
		return
	}
	// If there are as many chunks as entries, and all of them are in order, they belong
	// together.
	for k, i := range missing {
		r.found[i] = found{at: free[k]}
	}
	if !slices.IsSortedFunc(r.found, func(a, b found) int { return int(a.at - b.at) }) {
		for _, i := range missing {
			r.found[i] = found{at: -1, err: errEntry}
		}
	}
}

// tailMatches reports whether the tail, whose index is at offset at, has the right digest
// if the index holds the chunks that were found. If so, it uses the tail's vlmetalayers. If
// not, it uses them only if they can be decoded, and otherwise reports them as lost.
func (r *repairer) tailMatches(at int64) bool {
	offsets := make([]int64, len(r.found))
	for i, c := range r.found {
		switch {
		case c.special:
			offsets[i] = c.entry
		case c.at < 0:
			return false
		default:
			offsets[i] = c.at - int64(len(r.raw))
		}
	}
	tail := appendIndex(appendEndMark(nil, int(r.h.TypeSize)), offsets)
	at += int64(len(tail)) - endMarkLen
	rec, trailer, vlmeta, ok := r.afterIndex(at)
	if !ok {
		return false
	}
	if digestMatches(rec[8:], framing.Digest(append(tail, trailer...))) {
		r.vlmeta, r.ended, r.rep.VLMeta = slices.Clone(vlmeta), true, false
		return true
	}
	if _, err := decodeVLMeta(vlmeta, r.o.limits); err == nil && r.vlmeta == nil {
		r.vlmeta, r.rep.VLMeta = slices.Clone(vlmeta), len(vlmeta) > 0
	}
	return false
}

// allChecked returns the offsets of all chunks with valid records.
func (r *repairer) allChecked() (places []int64) {
	was, end, vlmeta := r.found, r.end, r.vlmeta
	r.found = nil
	r.walk(r.firstChunk())
	for n, c := range r.found {
		if c.at >= 0 && c.err == nil {
			if _, err := r.take(nil, int64(n), c); err == nil {
				places = append(places, c.at)
			}
		}
	}
	r.found, r.end, r.vlmeta = was, end, vlmeta
	return places
}
