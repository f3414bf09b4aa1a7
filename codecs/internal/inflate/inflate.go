// Package inflate decodes deflate streams (RFC 1951) whose decoded length is
// known, in one call.
package inflate

import (
	"encoding/binary"
	"errors"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/bulk"
)

// ErrCorrupt is returned by Decode for an invalid stream, and for one that decodes
// to more than the destination.
var ErrCorrupt = errors.New("corrupt deflate stream")

// A Decoder keeps its tables. The zero value is ready. It is for one goroutine at a
// time.
type Decoder struct {
	literals, distances, lengths table

	src  []byte
	at   int    // index of the next byte to load
	word uint64 // loaded bits, the lowest first
	n    uint   // number of loaded bits
	over uint   // number of loaded bits after the end of src
}

// Decode decodes a stream into dst, and returns the numbers of bytes that it wrote
// and read. It writes nothing else and keeps neither slice.
func (d *Decoder) Decode(dst, src []byte) (written, read int, err error) {
	makeTables()
	d.src, d.at, d.word, d.n, d.over = src, 0, 0, 0, 0
	defer func() { d.src = nil }()
	for last := false; !last; {
		// BFINAL and BTYPE (RFC 1951, 3.2.3).
		d.fill()
		last = d.take(1) != 0
		ok := false
		switch d.take(2) {
		case 0: // stored (3.2.4); 1 means fixed codes (3.2.6), 2 dynamic codes (3.2.7), and 3 is reserved
			written, ok = d.stored(dst, written)
		case 1:
			written, ok = d.block(dst, written, &fixedLiterals, &fixedDistances)
		case 2:
			if ok = d.readTables(); ok {
				written, ok = d.block(dst, written, &d.literals, &d.distances)
			}
		}
		if !ok || d.over > d.n {
			return 0, 0, ErrCorrupt
		}
	}
	return written, d.at - int(d.n-d.over)/8, nil
}

// fill loads at least 56 bits; after the end of src they are zeros.
func (d *Decoder) fill() {
	if d.at+8 <= len(d.src) {
		d.word |= mem.Load64(d.src, d.at) << (d.n & 63)
		d.at += int(63-d.n) >> 3
		d.n |= 56
		return
	}
	for d.n < 56 {
		if d.at < len(d.src) {
			d.word |= uint64(d.src[d.at]) << d.n
			d.at++
		} else {
			d.over += 8
		}
		d.n += 8
	}
}

// take returns the next n bits, which must have been loaded.
func (d *Decoder) take(n uint) int {
	v := d.word & (1<<n - 1)
	d.word >>= n
	d.n -= n
	return int(v)
}

// stored copies a block that is not compressed (RFC 1951, 3.2.4): LEN, NLEN,
// bytes.
func (d *Decoder) stored(dst []byte, op int) (int, bool) {
	if d.over > d.n {
		return 0, false
	}
	// Return whole loaded bytes to the input.
	at := d.at - int(d.n-d.over)/8
	d.word, d.n, d.over = 0, 0, 0
	if len(d.src)-at < 4 {
		return 0, false
	}
	n := int(binary.LittleEndian.Uint16(d.src[at:]))
	if n^0xffff != int(binary.LittleEndian.Uint16(d.src[at+2:])) {
		return 0, false
	}
	at += 4
	if n > len(d.src)-at || n > len(dst)-op {
		return 0, false
	}
	bulk.Copy(dst[op:], d.src[at:at+n])
	d.at = at + n
	return op + n, true
}

// readTables reads the codes of a block (RFC 1951, 3.2.7).
func (d *Decoder) readTables() bool {
	d.fill()
	// The fields are HLIT, HDIST and HCLEN. They can count symbols that must not occur:
	// 286 and 287 of literals, which 3.2.7 omits, and 30 and 31 of distances (3.2.6).
	// Codes for these are rejected, as by zlib.
	literals, distances, n := d.take(5)+257, d.take(5)+1, d.take(4)+4
	if literals > 286 || distances > 30 {
		return false
	}
	var lengths [288 + 32]uint8
	for i := range n {
		if i%16 == 0 {
			d.fill()
		}
		// HCLEN + 4 lengths of the code for code lengths, in this order.
		order := [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
		lengths[order[i]] = uint8(d.take(3))
	}
	if !d.lengths.build(lengths[:19], lengthSymbols[:], lengthBits) {
		return false
	}
	clear(lengths[:19])
	for i := 0; i < literals+distances; {
		if d.n < 14 { // bits of a symbol and its extra bits
			d.fill()
		}
		e := d.lengths.entries[d.word&(1<<d.lengths.first-1)]
		if e&kindMask != literal || d.over > d.n {
			return false
		}
		d.take(e.bits())
		value, times := uint8(0), 1
		// The alphabet of code lengths. Repeats continue from literals to
		// distances.
		switch s := e.value(); s {
		case 16:
			if i == 0 {
				return false
			}
			value, times = lengths[i-1], 3+d.take(2)
		case 17:
			times = 3 + d.take(3)
		case 18:
			times = 11 + d.take(7)
		default:
			value = uint8(s)
		}
		if times > literals+distances-i {
			return false
		}
		for range times {
			lengths[i] = value
			i++
		}
	}
	if lengths[256] == 0 { // the end of the block must have a code
		return false
	}
	// A block of only literals may have a single distance code of zero bits (3.2.7).
	of := lengths[literals : literals+distances]
	d.distances.entries = append(d.distances.entries[:0], invalid, invalid)
	d.distances.first = 1
	for _, l := range of {
		if l != 0 {
			if !d.distances.build(of, distanceSymbols[:], distanceBits) {
				return false
			}
			break
		}
	}
	return d.literals.build(lengths[:literals], literalSymbols[:], literalBits)
}

// block decodes a block with its tables: literals, lengths and distances with
// their extra bits (RFC 1951, 3.2.5), up to the end of the block.
func (d *Decoder) block(dst []byte, op int, literals, distances *table) (int, bool) {
	lt, dt := literals.entries, distances.entries
	lm, dm := uint64(1)<<literals.first-1, uint64(1)<<distances.first-1
	src, at, word, n := d.src, d.at, d.word, d.n
	for {
		if at+8 <= len(src) {
			word |= mem.Load64(src, at) << (n & 63)
			at += int(63-n) >> 3
			n |= 56
		} else {
			d.at, d.word, d.n = at, word, n
			d.fill()
			if d.over > d.n {
				return 0, false
			}
			at, word, n = d.at, d.word, d.n
		}
		e := lt[word&lm]
		if e&kindMask == link {
			word >>= e.bits() & 63
			n -= e.bits()
			e = lt[uint64(e.value())+word&(1<<e.extra()-1)]
		}
		word >>= e.bits() & 63
		n -= e.bits()
		if e&kindMask == literal {
			if op >= len(dst) {
				return 0, false
			}
			dst[op] = byte(e.value())
			op++
			// Decode up to three more symbols without loading bits, if they are
			// literals with short codes.
			for range 3 {
				e = lt[word&lm]
				if e&kindMask != literal || op >= len(dst) {
					break
				}
				word >>= e.bits() & 63
				n -= e.bits()
				dst[op] = byte(e.value())
				op++
			}
			continue
		}
		if e&kindMask != match {
			d.at, d.word, d.n = at, word, n
			return op, e&kindMask == end
		}
		length := e.value() + int(word&(1<<e.extra()-1))
		word >>= e.extra() & 63
		n -= e.extra()
		// Up to 20 bits have been used; a distance takes up to 28.
		e = dt[word&dm]
		if e&kindMask == link {
			word >>= e.bits() & 63
			n -= e.bits()
			e = dt[uint64(e.value())+word&(1<<e.extra()-1)]
		}
		if e&kindMask != match {
			return 0, false
		}
		word >>= e.bits() & 63
		n -= e.bits()
		distance := e.value() + int(word&(1<<e.extra()-1))
		word >>= e.extra() & 63
		n -= e.extra()
		// A distance may reach into earlier blocks, but not before the output
		// (3.2.3).
		if distance > op || length > len(dst)-op {
			return 0, false
		}
		mem.CopyMatch(dst, op, distance, length)
		op += length
	}
}
