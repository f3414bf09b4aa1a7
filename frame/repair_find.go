package frame

import (
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/meta"
)

// findChunks finds the chunks of the frame, as far as possible.
func (r *repairer) findChunks() error {
	if r.rebuilt {
		r.rep.Found = "the chunks themselves, front to back"
		r.walk(r.firstChunk())
		r.preferTail()
		r.setChunkSize()
		return nil
	}
	f, err := Open(r.src, r.size, WithLimits(r.o.limits))
	switch {
	case err == nil:
		r.rep.Found = "the index"
		r.whole, r.vlmeta, r.ended = f, f.vlmeta, true
		switch l := f.lost; {
		case l != nil && l.right != nil && r.corrected < maxCorrections:
			r.src, r.rep.Mended = patched{r.src, l.right, l.at}, true
			r.corrected++
			return r.findChunks()
		case l != nil:
			r.pastLoss()
			return nil
		}
		r.fromIndex(f.index, int64(len(f.raw)))
		if r.o.recover && r.order && f.frameLen < r.size && !f.mark.open && !r.wall(f.frameLen) {
			n := len(r.found)
			r.walk(f.frameLen)
			r.rep.Tail += int64(len(r.found) - n)
		}
	case r.order || r.o.guess:
		r.rep.Found = "the chunks themselves, front to back"
		r.walk(r.firstChunk())
		r.preferTail()
		r.lastOpen()
	case r.useDamagedIndex():
		r.rep.Found = "the rest of the index"
	case r.lastTail() != nil:
		r.rep.Found = "an older index"
	default:
		return fmt.Errorf("blosc2: repair: no index is intact, and the chunks may be out of order: %w", err)
	}
	return nil
}

// preferTail uses the newest intact index, if it has at least as many chunks as were
// found without it.
func (r *repairer) preferTail() {
	walked, vlmeta := r.found, r.vlmeta
	if n := len(r.lastTail()); n > 0 && (n >= len(walked) || r.rebuilt && !r.order) {
		r.rep.Found = "an older index"
		if r.ended {
			r.rep.Found = "the index"
		}
		return
	}
	r.found = walked
	if vlmeta != nil {
		r.vlmeta = vlmeta
	}
	if !r.ended && r.checks && len(walked) > 0 {
		r.tailMatches(r.end + endMarkLen)
	}
}

// firstChunk returns the offset of the first chunk in an ordered frame.
func (r *repairer) firstChunk() int64 {
	at := int64(len(r.raw))
	if rec, ok := readRecord(r.src, at); r.checks || ok && rec.kind == kindHeader {
		at += recordLen
	}
	return at
}

// fromIndex adds the chunks for the entries of an index.
func (r *repairer) fromIndex(index []int64, first int64) {
	for _, o := range index {
		c := found{at: -1, special: o < 0, entry: o, index: r.whole != nil}
		if o >= 0 {
			c.at = first + o
		}
		r.found = append(r.found, c)
	}
}

// A repair adds at most spareFactor chunks for each chunk found, and spareChunks more, for
// chunks that are missing. So the author of the input cannot make it write any number.
const (
	spareFactor = 256
	spareChunks = 1024
)

// addMissing adds the chunks that the header counts but that were not found.
func (r *repairer) addMissing() {
	size := int64(r.h.ChunkSize)
	have := int64(len(r.found))
	m, err := readMark(r.h)
	if size > 0 && !r.h.VariableChunks && (r.verified || r.whole != nil || r.o.guess || m.holds) {
		want := r.h.NBytes / size
		if r.h.NBytes%size > 0 {
			want++
		}
		if want > have+spareFactor*have+spareChunks || want > MaxChunks {
			r.rep.Cut = true
			return
		}
		i := slices.IndexFunc(r.found, func(c found) bool { return c.gap })
		if i < 0 || !r.endMark(r.end) {
			i = len(r.found)
		}
		if have < want {
			missing := slices.Repeat([]found{{at: -1, err: errMissing}}, int(want-have))
			r.found = slices.Insert(r.found, i, missing...)
		}
	}
	if !r.ended && (err != nil || !m.open) && (r.h.NBytes == 0 || size <= 0) {
		r.rep.Cut = true
	}
	if !r.ended && r.vlmeta == nil && (r.h.HasVLMeta || r.endMark(r.end)) {
		r.rep.VLMeta = true
	}
}

// useArrayChunkSize sets the chunk size to that of the array, in a frame whose chunks
// differ in size. Chunks of other sizes are not part of the array, and are lost.
func (r *repairer) useArrayChunkSize() {
	value, ok := meta.Find(r.h.Layers, meta.B2NDName)
	if !ok || !r.h.VariableChunks {
		return
	}
	a, err := meta.ParseB2ND(value)
	if err != nil || a.Validate(int(r.h.TypeSize)) != nil {
		return
	}
	h := *r.h
	size := a.ChunkBytes(int(h.TypeSize))
	if size <= 0 || size > chunk.MaxBytes {
		return
	}
	h.VariableChunks, h.ChunkSize = false, int32(size)
	h.NBytes = int64(len(r.found)) * int64(h.ChunkSize)
	r.h, r.uniform = &h, true
}

// endMark reports whether there is an end mark at offset at. Then an index and a trailer
// were written.
func (r *repairer) endMark(at int64) bool {
	var head [minChunk]byte
	n, _ := r.src.ReadAt(head[:], at)
	return at > 0 && n == len(head) && r.isEndMark(head[:])
}

// lostSize returns the number of decoded bytes in a lost chunk, or 0 if that is unknown.
// It uses the chunk's header only if nothing else is known, because the header may be
// damaged.
func (r *repairer) lostSize(n int64, c found) int64 {
	if f := r.whole; r.uniform {
		return int64(r.h.ChunkSize)
	} else if c.index && f.mark.order == Unsealed && f.starts != nil { // this chunk was found by walking
		c.nbytes = f.starts[n+1] - f.starts[n]
	} else if c.index {
		if start, end, err := f.extent(n); err == nil {
			return end - start
		}
	}
	size, last := int64(r.h.ChunkSize), n == int64(len(r.found))-1
	rest := r.h.NBytes - n*size
	if size > 0 && !r.h.VariableChunks {
		switch {
		case !last:
			return size
		case rest > 0:
			return min(size, rest)
		case c.nbytes > 0 && c.nbytes%max(int64(r.h.TypeSize), 1) == 0:
			return min(size, c.nbytes)
		}
		return size
	}
	if c.nbytes > 0 && c.nbytes <= r.o.limits.Chunk {
		return c.nbytes
	}
	return r.remaining()
}

// remaining returns the size of the only chunk of unknown size in a frame of variable
// chunk size: the total minus the sizes of the others. It returns 0 if there are several
// such chunks.
func (r *repairer) remaining() int64 {
	if !r.verified && r.whole == nil {
		return 0
	}
	sum, unknown := int64(0), 0
	var head [minChunk]byte
	for _, c := range r.found {
		switch k, _ := r.src.ReadAt(head[:], max(c.at, 0)); {
		case c.nbytes > 0:
			sum += c.nbytes
		case c.at >= 0 && c.err == nil && k == len(head) && r.plausible(head[:]):
			sum += chunkNBytes(head[:])
		default:
			unknown++
		}
	}
	if rest := r.h.NBytes - sum; unknown == 1 && rest > 0 && rest <= r.o.limits.Chunk {
		return rest
	}
	return 0
}

var errMissing = blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "it is missing: the frame is truncated")
