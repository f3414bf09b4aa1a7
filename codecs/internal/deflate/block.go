package deflate

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2/codecs/internal/bitio"
	"github.com/seed03b80dae/blosc2/codecs/internal/huffman"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// These are the types of a block (RFC 1951, 3.2.3).
const (
	stored  = 0
	fixed   = 1
	dynamic = 2

	maxStored = 1<<16 - 1
)

// counts holds the number of occurrences of each symbol of a block.
type counts struct {
	literals  [numLiterals]uint32
	distances [numDistances]uint32
}

func (c *counts) add(d *counts) {
	for i, n := range &d.literals {
		c.literals[i] += n
	}
	for i, n := range &d.distances {
		c.distances[i] += n
	}
}

// A block is a part of the input with separate codes.
type block struct {
	from, to int
	counts
	cost  int  // an estimate of the bits that it takes
	noise bool // the block is stored, because it is noise
}

// fixedSize returns the number of bits that the counted symbols take with the codes
// of a fixed block.
func (c *counts) fixedSize() int {
	return bitsOf(c.literals[:], fixedLiterals.lengths[:]) + bitsOf(c.distances[:], fixedDistances.lengths[:])
}

// extra returns the number of extra bits after the symbols.
func (c *counts) extra() int {
	return bitsOf(c.literals[firstLength:], lengthExtra[:]) + bitsOf(c.distances[:], distanceExtra[:])
}

// bitsOf returns the number of bits of symbols that occur as often as counts says.
func bitsOf(counts []uint32, bits []uint8) int {
	n := 0
	for i, x := range counts {
		n += int(x) * int(bits[i])
	}
	return n
}

// An emitter writes blocks. It keeps the codes of the current block.
type emitter struct {
	bitio.Writer
	builder   huffman.Builder
	literals  code
	distances code
	lengths   [maxMatch + 1]uint32 // codes of the lengths, with their extra bits
	header    header
}

// put writes a block in its shortest form. It returns false if there is no room.
func (e *emitter) put(src []byte, b *block, seqs []seq, last bool) bool {
	room := len(e.Out)*8 - e.Used()
	first := uint64(0)
	if last {
		first = 1
	}
	asStored := e.storedSize(b.to - b.from)
	if b.noise {
		if asStored > room {
			return false
		}
		e.putStored(src[b.from:b.to], first)
		return true
	}
	b.literals[endOfBlock] = 1
	literals, distances := &e.literals, &e.distances
	literals.build(&e.builder, b.literals[:], maxBits)
	distances.build(&e.builder, b.distances[:], maxBits)
	e.header.make(&e.builder, literals, distances)

	extra := b.extra()
	asDynamic := 3 + e.header.size + literals.size + distances.size + extra
	asFixed := 3 + b.fixedSize() + extra
	if min(asDynamic, asFixed, asStored) > room {
		return false
	}
	switch {
	case asStored <= min(asFixed, asDynamic):
		e.putStored(src[b.from:b.to], first)
		return true
	case asFixed <= asDynamic:
		e.Add(first|fixed<<1, 3)
		literals, distances = &fixedLiterals, &fixedDistances
	default:
		e.Add(first|dynamic<<1, 3)
		e.Flush()
		e.header.put(&e.Writer)
		literals.assign()
		distances.assign()
	}
	e.Flush()
	e.putSeqs(src[b.from:b.to], seqs, literals, distances)
	return true
}

func (e *emitter) storedSize(n int) int {
	blocks := max(1, (n+maxStored-1)/maxStored)
	align := -(e.Used() + 3) & 7
	return 3 + align + blocks*32 + (blocks-1)*8 + n*8
}

// putStored writes stored blocks (RFC 1951, 3.2.4): LEN, NLEN, bytes.
func (e *emitter) putStored(src []byte, last uint64) {
	for {
		n := min(len(src), maxStored)
		v := last
		if n < len(src) {
			v = 0
		}
		e.Add(v|stored<<1, 3)
		e.Align()
		binary.LittleEndian.PutUint16(e.Out[e.At:], uint16(n))
		binary.LittleEndian.PutUint16(e.Out[e.At+2:], ^uint16(n))
		e.At += 4 + copy(e.Out[e.At+4:], src[:n])
		if src = src[n:]; len(src) == 0 {
			return
		}
	}
}

// putSeqs writes the sequences that encode src, and the end of the block (RFC 1951,
// 3.2.3): literals, and lengths and distances with their extra bits (3.2.5).
func (e *emitter) putSeqs(src []byte, seqs []seq, literals, distances *code) {
	for i := literals.used - 1; i >= 0 && literals.symbols[i] >= firstLength; i-- {
		s := literals.symbols[i] - firstLength
		c := literals.codes[literals.symbols[i]]
		lengths := e.lengths[lengthBase[s]:][:1<<lengthExtra[s]]
		for x := range lengths {
			lengths[x] = (c>>8|uint32(x)<<(c&31))<<8 | (c&255 + uint32(lengthExtra[s]))
		}
	}
	e.lengths[maxMatch] = literals.codes[numLiterals-1]
	ip := 0
	out, at, word, bits := e.Out, e.At, e.Word, e.N
	for i := range seqs {
		s := &seqs[i]
		n := int(s.literals)
		if len(out)-at < 2*n+16 {
			e.At, e.Word, e.N = at, word, bits
			e.putCarefully(src[ip:ip+n], s, literals, distances)
			at, word, bits = e.At, e.Word, e.N
			ip += n + int(s.length)
			continue
		}
		for ; n >= 4; n -= 4 {
			w := mem.Load32(src, ip)
			c0, c1, c2, c3 := literals.codes[w&255], literals.codes[w>>8&255], literals.codes[w>>16&255], literals.codes[w>>24]
			word |= uint64(c0>>8) << (bits & 63)
			bits += uint(c0 & 255)
			word |= uint64(c1>>8) << (bits & 63)
			bits += uint(c1 & 255)
			word |= uint64(c2>>8) << (bits & 63)
			bits += uint(c2 & 255)
			word |= uint64(c3>>8) << (bits & 63)
			bits += uint(c3 & 255)
			mem.Store64(out, at, word)
			at += int(bits >> 3)
			word >>= bits & 56
			bits &= 7
			ip += 4
		}
		if n > 0 {
			for range n {
				c := literals.codes[mem.Load8(src, ip)]
				word |= uint64(c>>8) << (bits & 63)
				bits += uint(c & 255)
				ip++
			}
			mem.Store64(out, at, word)
			at += int(bits >> 3)
			word >>= bits & 56
			bits &= 7
		}
		if s.length == 0 {
			continue
		}
		ip += int(s.length)
		l, d := e.lengths[s.length], distances.codes[s.symbol]
		x := uint(distanceExtra[s.symbol])
		word |= uint64(l>>8) << (bits & 63)
		bits += uint(l & 255)
		word |= uint64(d>>8) << (bits & 63)
		bits += uint(d & 255)
		word |= uint64(s.distance) & (1<<x - 1) << (bits & 63)
		bits += x
		mem.Store64(out, at, word)
		at += int(bits >> 3)
		word >>= bits & 56
		bits &= 7
	}
	e.At, e.Word, e.N = at, word, bits
	c := literals.codes[endOfBlock]
	e.Add(uint64(c>>8), uint(c&255))
	e.Flush()
}

// putCarefully writes a sequence near the end of out, with bounds checks.
func (e *emitter) putCarefully(src []byte, s *seq, literals, distances *code) {
	for _, b := range src {
		c := literals.codes[b]
		e.Add(uint64(c>>8), uint(c&255))
		e.Flush()
	}
	if s.length > 0 {
		l, d := e.lengths[s.length], distances.codes[s.symbol]
		x := uint(distanceExtra[s.symbol])
		e.Add(uint64(l>>8), uint(l&255))
		e.Add(uint64(d>>8), uint(d&255))
		e.Add(uint64(s.distance)&(1<<x-1), x)
		e.Flush()
	}
}
