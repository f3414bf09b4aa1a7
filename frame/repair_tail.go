package frame

import (
	"bytes"
	"encoding/binary"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// tail skips an end mark at offset at, and the index and trailer after it. If they are
// intact, it returns the offset after them.
func (r *repairer) tail(at int64) (next int64, ok bool) {
	_, vlmeta, next, ok := r.readTail(at + endMarkLen)
	if ok {
		r.vlmeta = vlmeta
		r.ended = !r.partAt(next)
	}
	return next, ok
}

// readTail reads a tail with an end mark that ends at offset at, and checks it
// against its record.
func (r *repairer) readTail(at int64) (index []int64, vlmeta []meta.Layer, next int64, ok bool) {
	f := r.view()
	digest := newDigest(appendEndMark(nil, int(r.h.TypeSize)))
	head, err := f.bytesAt(blosc2.PartIndex, at, chunk.HeaderLen)
	if err != nil {
		return nil, nil, 0, false
	}
	if _, isRecord := parseRecord(head); !isRecord {
		n := int64(binary.LittleEndian.Uint32(head[4:]))
		if n > r.o.limits.Index || n%8 != 0 || chunkCBytes(head) != n+chunk.Overhead {
			return nil, nil, 0, false
		}
		b, err := f.bytesAt(blosc2.PartIndex, at, n+chunk.Overhead)
		if err != nil {
			return nil, nil, 0, false
		}
		digest.Write(b)
		for b = b[chunk.Overhead:]; len(b) > 0; b = b[8:] {
			index = append(index, int64(binary.LittleEndian.Uint64(b)))
		}
		at += n + chunk.Overhead
	}
	b, trailer, vlmeta, ok := r.afterIndex(at)
	digest.Write(trailer)
	if rec, isRecord := parseRecord(b); !ok || !isRecord || rec.kind != kindTail || rec.value != digest.Sum64() {
		return nil, nil, 0, false
	}
	return index, vlmeta, at + recordLen + int64(len(trailer)), true
}

// afterIndex reads the record after an index, which may be damaged, and the trailer after
// the record.
func (r *repairer) afterIndex(at int64) (rec, trailer []byte, vlmeta []meta.Layer, ok bool) {
	f := r.view()
	rec, err := f.bytesAt(blosc2.PartRecord, at, recordLen)
	if err != nil {
		return nil, nil, nil, false
	}
	if trailer, err = f.trailerFrom(at + recordLen); err != nil {
		return nil, nil, nil, false
	}
	t, err := r.h.ParseTrailer(trailer)
	if err != nil {
		return nil, nil, nil, false
	}
	return rec, trailer, t.Layers, true
}

// lastTail returns the chunks of the newest intact index that has a record and a trailer.
// It returns nil if there is none. It finds an index by the end mark before it or, if
// that is damaged, by the record after it.
func (r *repairer) lastTail() []found {
	count := len(r.found)
	r.found = nil
	mark := appendEndMark(nil, int(r.h.TypeSize))
	newest := int64(-1)
	take := func(at int64) {
		if at <= newest {
			return
		}
		if index, vlmeta, next, whole := r.readTail(at); whole {
			r.found, r.vlmeta, newest = r.found[:0], vlmeta, at
			r.ended = !r.partAt(next)
			r.fromIndex(index, int64(len(r.raw)))
		}
	}
	for at := range places(r.src, int64(len(r.raw)), r.size, mark) {
		take(at + endMarkLen)
	}
	for at := range places(r.src, int64(len(r.raw)), r.size, []byte(framing.RecordMagic)) {
		if rec, ok := readRecord(r.src, at); ok && rec.kind == kindTail {
			if index := r.indexBefore(at); index >= 0 {
				take(index)
			} else if newest < 0 {
				r.countedTail(at, count)
			}
		}
	}
	return r.found
}

// counted is the largest number of chunks that countedTail tries in addition to those
// that a walk found.
const counted = 64

// countedTail returns the chunks of an index that ends at end and has a damaged head. It
// tries numbers of entries, beginning with the number of chunks found.
func (r *repairer) countedTail(end int64, found int) {
	b, trailer, vlmeta, ok := r.afterIndex(end)
	if !ok {
		return
	}
	rec, _ := parseRecord(b)
	for n := max(found, 1); n < found+counted && end-int64(8*n) > int64(len(r.raw)); n++ {
		entries := make([]byte, 8*n)
		if k, _ := r.src.ReadAt(entries, end-int64(len(entries))); k < len(entries) {
			return
		}
		head := indexHead(n)
		digest := newDigest(appendEndMark(nil, int(r.h.TypeSize)))
		digest.Write(head[:])
		digest.Write(entries)
		digest.Write(trailer)
		if digest.Sum64() != rec.value {
			continue
		}
		index := make([]int64, n)
		for i := range index {
			index[i] = int64(binary.LittleEndian.Uint64(entries[8*i:]))
		}
		r.vlmeta, r.ended = vlmeta, !r.partAt(end+recordLen+int64(len(trailer)))
		r.fromIndex(index, int64(len(r.raw)))
		return
	}
}

// indexBefore returns the start of the index that ends at end, or -1 if there is
// none.
func (r *repairer) indexBefore(end int64) int64 {
	const window = 1 << 16
	low := max(0, end-r.o.limits.Index-chunk.Overhead)
	for to := end - chunk.Overhead - 8; to >= low; {
		from := max(low, to-window)
		from += (to - from) % 8
		buf := make([]byte, to-from+chunk.HeaderLen)
		n, _ := r.src.ReadAt(buf, from)
		for at := to; at >= from && int64(n) == int64(len(buf)); at -= 8 {
			head := indexHead(int((end - at - chunk.Overhead) / 8))
			if bytes.Equal(buf[at-from:at-from+chunk.Overhead], head[:]) {
				return at
			}
		}
		to = from - 8
	}
	return -1
}
