package frame

import (
	"encoding/binary"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// hurtIndex takes the chunks from an index that is damaged, or whose trailer is:
// entries that name a chunk which has its digest, each another one. It reports
// whether there are any. Other entries are looked for among the chunks that none
// names, as far as the digest of the tail proves them.
func (r *repairer) hurtIndex() bool {
	if !r.proved || !r.checks || r.h.ChunkSize <= 0 || r.h.VariableChunks || r.h.CBytes < endMarkLen {
		return false
	}
	size := int64(r.h.ChunkSize)
	n := (r.h.NBytes + size - 1) / size
	at := int64(len(r.raw)) + r.h.CBytes
	if n <= 0 || n > r.o.Limits.Index/8 || at+chunk.Overhead+8*n > r.size {
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
			if it, err := r.take(nil, i, found{at: c.at}); err == nil && int64(it.NBytes) == min(size, r.h.NBytes-i*size) {
				c.err = nil
				named[c.at]++
			}
		}
		r.found = append(r.found, c)
	}
	for i := range r.found {
		if c := &r.found[i]; named[c.at] > 1 {
			c.err = errEntry
		}
	}
	if r.provenIndex(at, b, named) {
		r.ended = true
	}
	return len(named) > 0
}

var errEntry = blosc2.Errorf(blosc2.PartIndex, blosc2.ErrCorrupt, "its entry is damaged")

// provenTries is how many indexes are compared with the digest of a tail.
const provenTries = 1 << 18

// provenIndex looks for the damaged entries of an index of entries b, which
// begins at at, and takes its vlmetalayers. It reports whether the digest of the
// tail proves all.
func (r *repairer) provenIndex(at int64, b []byte, named map[int64]int) bool {
	f := &Reader{src: r.src, size: r.size, cfg: config{limits: r.o.Limits}, h: r.h}
	recAt := at + chunk.Overhead + int64(len(b))
	rec, err := f.bytesAt(blosc2.PartRecord, recAt, RecordLen)
	if err != nil {
		return false
	}
	want, ok := parseRecord(rec)
	trailer, terr := f.trailerFrom(recAt + RecordLen)
	if terr != nil || !ok || want.kind != kindTail {
		return false
	}
	t, err := r.h.ParseTrailer(trailer)
	if err != nil {
		return false
	}
	head := indexHead(len(b) / 8)
	tail := append(appendEndMark(nil, int(r.h.TypeSize)), head[:]...)
	entries := len(tail)
	tail = append(append(tail, b...), trailer...)
	var missing []int
	for i, c := range r.found {
		if c.err != nil {
			missing = append(missing, i)
		}
	}
	var candidates []int64
	for _, c := range r.allChecked() {
		if named[c] != 1 {
			candidates = append(candidates, c-int64(len(r.raw)))
		}
	}
	for _, bits := range []int64{1, 2, 4} {
		candidates = append(candidates, -1<<63|bits<<56)
	}
	tries := 0
	var fit func(k int) bool
	fit = func(k int) bool {
		if k == len(missing) {
			tries++
			return Digest(tail) == want.value
		}
		for i, c := range candidates {
			if tries > provenTries {
				return false
			}
			if c == 0 {
				continue
			}
			binary.LittleEndian.PutUint64(tail[entries+8*missing[k]:], uint64(c))
			if c > 0 {
				candidates[i] = 0
			}
			if fit(k + 1) {
				return true
			}
			candidates[i] = c
		}
		return false
	}
	if len(missing) > 16 || !fit(0) {
		return false
	}
	for _, i := range missing {
		o := int64(binary.LittleEndian.Uint64(tail[entries+8*i:]))
		r.found[i] = found{at: -1, special: o < 0, entry: o}
		if o >= 0 {
			r.found[i].at = int64(len(r.raw)) + o
		}
	}
	r.vlmeta = slices.Clone(t.Layers)
	return true
}

// allChecked returns the places of all chunks that have their records.
func (r *repairer) allChecked() (places []int64) {
	was := r.found
	r.found = nil
	r.walk(r.firstChunk())
	for _, c := range r.found {
		if c.at >= 0 && c.err == nil {
			places = append(places, c.at)
		}
	}
	r.found = was
	return places
}
