package tune

import (
	"bytes"
	"encoding/binary"

	"github.com/seed03b80dae/blosc2/internal/cost"
)

// Pieces of a chunk hide what repeats at distances beyond them. Where much of a chunk does,
// such as a signal that was recorded once and stored four times, a second search compares
// settings on the whole chunk. recurs takes some 25 µs for a chunk of 1 MiB.

const (
	recurPrice    = 8e6 * cost.Unit // of the second search in a chunk
	recurFull     = 2e9             // for faster links the second search keeps codec and filters, because it takes longer than it gains
	stretches     = 16
	stretchLen    = 256
	stretchStep   = stretchLen / 2
	leastDistance = 32 << 10 // pieces show repetitions at shorter distances
	mostRecurring = 4        // a chunk recurs if one stretch in so many does
	recurBits     = 13
	recurTag      = 1<<32 - stretches*stretchStep*2 // the bits of an entry that are not a place
)

// recurs reports whether much of the first mostBlock bytes of data repeats exactly, but only at
// large distances. A table holds the words at the first stretchStep places of some stretches.
// Where a stretch occurs again, one of these words is at a multiple of stretchStep bytes.
func recurs(data []byte) bool {
	data = data[:min(len(data), mostBlock)]
	if len(data) < 8*leastDistance {
		return false
	}
	start := func(i int) int { return (len(data) - stretchLen) / (stretches - 1) * i }
	hash := func(at int) (slot int, tag uint32) {
		h := binary.LittleEndian.Uint64(data[at:]) * 0x9e3779b185ebca87
		return int(h >> (64 - recurBits)), uint32(h>>(32-recurBits)) & recurTag
	}
	var table [1 << recurBits]uint32
	for i := range stretches {
		for o := range stretchStep {
			slot, tag := hash(start(i) + o)
			table[slot] = tag | uint32(i*stretchStep+o+1)
		}
	}
	var near, far [stretches]bool
	for at := 0; at+8 <= len(data); at += stretchStep {
		slot, tag := hash(at)
		e := table[slot]
		if e == 0 || e&recurTag != tag {
			continue
		}
		place := int(e&^uint32(recurTag)) - 1
		i, o := place/stretchStep, place%stretchStep
		from, to := start(i), at-o
		if near[i] || to < 0 || to+stretchLen > len(data) || to == from || !bytes.Equal(data[from:from+stretchLen], data[to:to+stretchLen]) {
			continue
		}
		if max(to-from, from-to) < leastDistance {
			near[i] = true
		} else {
			far[i] = true
		}
	}
	count := 0
	for i := range far {
		if far[i] && !near[i] {
			count++
		}
	}
	return count*mostRecurring >= stretches
}
