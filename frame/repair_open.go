package frame

import "github.com/seed03b80dae/blosc2/header"

// lastOpen looks for the last chunk of an open frame whose index is damaged: no
// walk over the chunks comes to it, because it is elsewhere.
func (r *repairer) lastOpen() {
	m, err := readMark(r.h)
	size := int64(r.h.ChunkSize)
	if err != nil || !m.open || size <= 0 || r.h.VariableChunks || r.h.Type != header.Contiguous {
		return
	}
	f := &Reader{src: r.src, size: r.size, cfg: config{limits: r.o.limits}, h: r.h, raw: r.raw,
		mark: marking{order: Unsealed, checks: r.checks}, chunks: contiguous{r.src, int64(len(r.raw)), r.size}}
	n, next, have := int64(len(r.found)), r.firstChunk(), int64(0)
	if n > 0 {
		last := r.found[n-1]
		e, err := f.chunkExtent(last.at)
		if last.at < 0 || err != nil {
			return
		}
		if next = f.afterSkip(e.end); e.nbytes < size {
			n, next, have = n-1, last.at, e.nbytes
		}
	}
	// It is after the room of the finished chunk, or, where a tail was in the
	// way, after that.
	from := alignUp(next + chunkRoom(size))
	to := min(r.size, max(from, int64(r.h.FrameLen))+openRoom(size)+openAlign)
	for at := from; at < to; at += openAlign {
		c := found{at: at + openHeader, index: true}
		if f.displaced(at+recordLen, n) {
			e, err := f.chunkExtent(at + recordLen)
			if err != nil || e.nbytes <= have || e.nbytes > size {
				continue
			}
			c, have = found{at: e.start, nbytes: e.nbytes}, e.nbytes
		} else if o, err := f.readOpen(at, n, 0, int(size)); err == nil && o != nil && int64(o.size) > have {
			have = int64(o.size)
			f.index = make([]int64, n+1)
			f.index[n], f.nbytes, f.progress = c.at-int64(len(r.raw)), n*size+have, &progress{next: next, open: o}
			r.whole = f
		} else {
			continue
		}
		r.found = append(r.found[:n], c)
	}
}
