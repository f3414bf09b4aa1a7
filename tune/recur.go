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
	recurFull     = 2e9             // for such links the second search keeps codec and filters, because it would take longer than it gains
	clearlyBetter = 10              // the second pick must save a part of 1/clearlyBetter
	stretches     = 16
	stretchLen    = 256
	stretchStep   = stretchLen / 2
	leastDistance = 32 << 10 // pieces show repetitions at shorter distances
	recurPart     = 4        // a chunk recurs if 1/recurPart of the stretches do
	recurBits     = 13
	jitterBits    = 14                              // stretches begin up to 1<<jitterBits bytes later than evenly spaced ones, which would be copies of each other in periodic data
	recurTag      = 1<<32 - stretches*stretchStep*2 // the bits of an entry that are not a place
)

// again returns p, the pick from pieces of data, or the one of a second search if much recurs and
// that is clearly better.
func (s Search) again(p Pick, data []byte) (Pick, error) {
	fast := s.Aim.link() >= recurFull
	switch {
	case s.Aim == Archive || s.pieces || s.Keep&KeepBlockSize != 0 || fast && p.Params.Level == 0:
		return p, nil
	case s.most > 0 && s.most-p.search < recurPrice:
		return p, nil
	case !recurs(data):
		return p, nil
	}
	if s.most > 0 {
		s.most -= p.search
	}
	s.recurs, s.before = true, nil
	s.Keep, s.Params.TypeSize = s.Keep|KeepTypeSize, p.Params.TypeSize
	if fast {
		s.Keep |= KeepCodec | KeepFilters
		s.Params.Codec, s.Params.CodecMeta, s.Params.Filters = p.Params.Codec, p.Params.CodecMeta, p.Params.Filters
	}
	q, err := s.search([][]byte{data})
	if err != nil {
		return p, err
	}
	q.search += p.search
	if q.Ratio == 0 || clearlyBetter*q.total > (clearlyBetter-1)*p.total { // the pieces underestimate p
		p.search = q.search
		return p, nil
	}
	return q, nil
}

// recurs reports whether much of the first mostBlock bytes of data repeats exactly, but only at
// large distances. A table holds the words at the first stretchStep places of some stretches.
// Where a stretch occurs again, one of these words is at a multiple of stretchStep bytes.
func recurs(data []byte) bool {
	data = data[:min(len(data), mostBlock)]
	if len(data) < 8*leastDistance {
		return false
	}
	start := func(i int) int {
		return (len(data)-stretchLen-1<<jitterBits)/(stretches-1)*i + int(uint32(i)*0x9e3779b1>>(32-jitterBits))
	}
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
	return count*recurPart >= stretches
}
