package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// A LongTable holds the last position of each hash of longKey bytes. A search of a Chain
// stops before it reaches a long match if shorter ones are nearer; this table finds the
// long match at once. The zero value is ready after Reset.
type LongTable struct {
	table []uint32 // positions plus one, 0 for none
	shift uint     // extracts the bits of a hash from a product
	next  int      // the first position that is not entered
}

const (
	longKey  = 14 // docs/codecs.md, section 6
	longLoad = 16 // bytes that are loaded for a hash
	farBits  = 15 // log2 of the largest number of positions of Effort.Far
)

// Reset begins an input. A hash has hashBits bits.
func (t *LongTable) Reset(hashBits uint) {
	t.table = room.Zeros(t.table, 1<<hashBits)
	t.shift = 64 - hashBits
	t.next = 0
}

// Skip omits the positions before ip that are not entered yet.
func (t *LongTable) Skip(ip int) { t.next = max(t.next, ip) }

// Enter enters the positions up to ip, and returns the last position before ip with the
// same hash as ip, plus one, or 0 for none. Near the end of src it does nothing.
func (t *LongTable) Enter(src []byte, ip int) (place int) {
	if ip > len(src)-longLoad {
		return 0
	}
	table, shift := t.table, t.shift&63
	hash := func(i int) uint64 {
		return (mem.Load64(src, i)*prime1 + mem.Load64(src, i+8)<<(8*(longLoad-longKey))*prime2) >> shift
	}
	for i := t.next; i < ip; i++ {
		table[hash(i)] = uint32(i + 1)
	}
	t.next = ip + 1
	last := &table[hash(ip)]
	place, *last = int(*last), uint32(ip+1)
	return place
}

// improve replaces the match that a search of rows found at ip, if the table has a better
// one, and enters ip. It enters no positions that are not searched: most long matches
// begin where an earlier one began, and the table can be small.
func (t *LongTable) improve(l *look, src []byte, ip, to int) {
	t.Skip(ip)
	place := t.Enter(src, ip)
	if place == 0 || l.length == 0 || ip+l.length >= to {
		return
	}
	if mem.Load32(src, place-1+l.length-3) != mem.Load32(src, ip+l.length-3) { // the last bytes of a longer match
		return
	}
	n, distance := CommonPrefix(src, ip, place-1, to), ip+1-place
	if (n-l.length)*4 > bits.Len(uint(distance))-bits.Len(uint(l.distance)) { // see match.worth
		l.length, l.distance = n, distance
	}
}
