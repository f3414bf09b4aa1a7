package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// These are for FindLong. It enters every sparseStep-th position and looks at sparseStep
// positions in a row of each sparseRun, one of which is as far from the beginning of a
// repetition as a position that was entered. So it finds every match of sparseRun +
// sparseStep + 8 bytes, unless another word replaced its word in the table.
const (
	sparseBits = 13 // log2 of the size of the smallest table, which has room for 64 KiB
	sparseStep = 8
	sparseRun  = 32
)

// FindLong is FindMore for data in which short matches cost more than literals. It finds
// only long matches, and takes those of at least the given length.
func (f *Finder) FindLong(src []byte, to, least int) []Seq {
	from := f.resume(src, to)
	if len(f.sparse) == 0 {
		f.sparse = room.Zeros(f.sparse, 1<<max(bits.Len(uint((f.size-1)/sparseStep)), sparseBits))
	}
	table, shift := f.sparse, 65-bits.Len(uint(len(f.sparse)))
	least = max(least, tail)
	limit := to - least
	anchor := f.anchor
	for at := from; at < limit; {
		end := min(at+sparseRun, limit)
		next := end
		for ip := at; ip < min(at+sparseStep, limit); ip++ {
			w := mem.Load64(src, ip)
			ref := int(table[w*prime1>>shift])
			if ref >= ip || mem.Load64(src, ref) != w || mem.Load64(src, ref+least-8) != mem.Load64(src, ip+least-8) {
				continue
			}
			start, length := ip, 8+CommonPrefix(src, ip+8, ref+8, to)
			for start > anchor && ref > 0 && src[start-1] == src[ref-1] {
				start, ref, length = start-1, ref-1, length+1
			}
			if length < least {
				continue
			}
			s, distance := Seq{uint32(start - anchor), uint32(length), 1}, start-ref
			if distance != f.rep[0] || start == anchor {
				s.Off = uint32(distance + RepeatCodes)
				f.rep = [2]int{distance, f.rep[0]}
			}
			f.seqs = append(f.seqs, s)
			next = start + length
			anchor = next
			break
		}
		for i := (at + sparseStep - 1) &^ (sparseStep - 1); i < min(next, limit); i += sparseStep {
			table[mem.Load64(src, i)*prime1>>shift] = uint32(i)
		}
		at = next
	}
	f.end = to
	return f.seqs
}
