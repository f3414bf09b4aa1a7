package frame

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/meta"
)

// tail passes over an end mark at at, the index and the trailer behind it, and
// gives the place behind them if they are whole.
func (r *repairer) tail(at int64) (next int64, ok bool) {
	_, vlmeta, next, ok := r.readTail(at)
	if ok {
		r.vlmeta = vlmeta
		r.ended = !r.goesOn(next)
	}
	return next, ok
}

// readTail reads what an end mark at at begins, and compares it with its
// record.
func (r *repairer) readTail(at int64) (index []int64, vlmeta []meta.Layer, next int64, ok bool) {
	f := &Reader{src: r.src, size: r.size, cfg: config{limits: r.o.Limits}, h: r.h}
	mark, err := f.bytesAt(blosc2.PartIndex, at, endMarkLen)
	if err != nil {
		return nil, nil, 0, false
	}
	digest := newDigest(mark)
	at += endMarkLen
	head, err := f.bytesAt(blosc2.PartIndex, at, chunk.HeaderLen)
	if err != nil {
		return nil, nil, 0, false
	}
	if _, isRecord := parseRecord(head); !isRecord {
		n := int64(binary.LittleEndian.Uint32(head[4:]))
		if n > r.o.Limits.Index || n%8 != 0 || chunkCBytes(head) != n+chunk.Overhead {
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
	b, err := f.bytesAt(blosc2.PartRecord, at, RecordLen)
	if err != nil {
		return nil, nil, 0, false
	}
	rec, ok := parseRecord(b)
	if b, err = f.trailerFrom(at + RecordLen); err != nil || !ok || rec.kind != kindTail {
		return nil, nil, 0, false
	}
	digest.Write(b)
	t, err := r.h.ParseTrailer(b)
	if err != nil || digest.Sum64() != rec.value {
		return nil, nil, 0, false
	}
	return index, t.Layers, at + RecordLen + int64(len(b)), true
}

// lastTail takes the chunks from the newest index that is whole, with record
// and trailer; nil if there is none.
func (r *repairer) lastTail() []found {
	mark := appendEndMark(nil, int(r.h.TypeSize))
	ok := false
	for at := int64(len(r.raw)); ; at++ {
		if at = find(r.src, at, r.size, mark); at < 0 {
			break
		}
		if index, vlmeta, next, whole := r.readTail(at); whole {
			r.found, r.vlmeta, ok = r.found[:0], vlmeta, true
			r.ended = !r.goesOn(next)
			r.fromIndex(index, int64(len(r.raw)))
		}
	}
	if !ok {
		return nil
	}
	return r.found
}
