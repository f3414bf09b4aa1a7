// Package cost estimates the cost of compressing and decompressing a chunk from
// its codec's output: the number of matches, and of bytes coded or stored. It
// is integer arithmetic over a table of constants, so that the same chunk costs
// the same on every machine.
package cost

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// Features is the number of features of a Work that the table has constants for.
const Features = 7

// Work counts the operations of a codec for a chunk.
type Work struct {
	Bytes     int // bytes of the uncompressed chunk
	Sequences int // matches, if the codec's format allows them to be counted quickly
	Literals  int // bytes between matches that the codec coded
	Probes    int // approximate number of positions at which LZ4 looked for a match in vain
	Far       int // Probes, each times the doublings by which a stream is longer than near
	Coded     int // bytes of the compressed streams
	Raw       int // bytes of the streams that are not compressed
	Stored    int // bytes of the whole chunk
}

// Vector returns the features in the order of the table.
func (w *Work) Vector() [Features]int {
	return [Features]int{w.Bytes, w.Sequences, w.Literals, w.Coded, w.Raw, w.Probes, w.Far}
}

// Add adds the work in another chunk.
func (w *Work) Add(o *Work) {
	w.Bytes += o.Bytes
	w.Sequences += o.Sequences
	w.Literals += o.Literals
	w.Probes += o.Probes
	w.Far += o.Far
	w.Coded += o.Coded
	w.Raw += o.Raw
	w.Stored += o.Stored
}

// Of returns the work in a chunk that was made with the codec and level of p. The error
// is a *blosc2.FormatError.
func Of(c []byte, p *chunk.Params) (Work, error) {
	return Each(c, p, func([]byte) {}, func() {})
}

// Each is like Of, and calls literals with every run of literals of LZ4, and end
// after each stream.
func Each(c []byte, p *chunk.Params, literals func([]byte), end func()) (Work, error) {
	steps := stepsOf(p)
	w := Work{Stored: len(c)}
	h, err := chunk.ParseHeader(c)
	if err != nil {
		return w, err
	}
	w.Bytes = h.NBytes
	if h.Memcpyed() {
		w.Raw = h.NBytes
		literals(c[len(c)-h.NBytes:])
		end()
		return w, nil
	}
	err = eachStream(c, func(stored []byte, n int) {
		switch {
		case stored == nil: // a run has no stored bytes
			return
		case len(stored) == n:
			w.Raw += n
			literals(stored)
		case p.Codec == blosc2.CodecLZ4 || p.Codec == blosc2.CodecLZ4HC:
			w.lz4(stored, steps, literals)
		case p.Codec == blosc2.CodecZstd:
			w.zstd(stored)
		}
		if len(stored) < n {
			w.Coded += len(stored)
		}
		end()
	})
	w.Far = w.Probes * doublings(&h, p)
	return w, err
}

// near is the length of a stream that LZ4 searches at full speed: its bytes and the
// table of their positions fit into the nearest cache. In longer streams, the bytes that
// are compared are the farther away the longer the stream is.
const near = 32 << 10

// doublings returns how often near must be doubled to reach the length of a stream, for
// blocks of the size in p, which a sample may be shorter than.
func doublings(h *chunk.Header, p *chunk.Params) int {
	size := max(h.BlockSize, p.BlockSize)
	if h.Split() {
		size /= max(h.TypeSize, 1)
	}
	return bits.Len(uint(max(size, near)-1)) - bits.Len(uint(near-1))
}

// lz4 counts the sequences of an LZ4 block, the literal bytes in them, and the probes.
func (w *Work) lz4(b []byte, steps steps, literals func([]byte)) {
	length := func(nibble, i int) (int, int) {
		if nibble < 15 {
			return nibble, i
		}
		for i < len(b) {
			nibble += int(b[i])
			i++
			if b[i-1] < 255 {
				break
			}
		}
		return nibble, i
	}
	for i := 0; i < len(b); {
		token := int(b[i])
		n, at := length(token>>4, i+1)
		w.Sequences++
		w.Literals += n
		w.Probes += steps.probes(n)
		i = min(at+n, len(b))
		literals(b[min(at, len(b)):i])
		if i >= len(b) {
			break
		}
		_, i = length(token&15, i+2)
	}
}

// steps describes how LZ4 steps over positions while it finds no match: after every
// 64 steps, beginning with the first length, they become longer by one. The zero value
// is for other codecs.
type steps struct {
	first, inverse int // the first length, and 1<<16 divided by it
}

// stepsOf returns the steps of LZ4 at a level, which are those of C-Blosc2.
func stepsOf(p *chunk.Params) steps {
	if p.Codec != blosc2.CodecLZ4 {
		return steps{}
	}
	first := max(10-p.Level, 1)
	return steps{first, 1<<16/first + 1}
}

// probes returns about how many steps pass n bytes.
func (s steps) probes(n int) int {
	const repeats = 64
	if s.first == 0 {
		return 0
	}
	if n <= repeats*s.first {
		return n * s.inverse >> 16
	}
	// The sum of k lengths, each repeated, is repeats*(first*k + k*(k-1)/2).
	c := 2*s.first - 1
	return int((math.Sqrt(float64(c*c*(repeats/8)+n)/(repeats/8)) - float64(c)) * (repeats / 2))
}

// zstd counts the sequences and coded literals of a zstd frame (RFC 8878). It
// ends early if the frame is not one that an encoder makes.
func (w *Work) zstd(b []byte) {
	if len(b) < 6 {
		return
	}
	descriptor := b[4]
	i := 5 + [4]int{0, 2, 4, 8}[descriptor>>6]
	if single := descriptor>>5&1 == 1; !single || descriptor>>6 == 0 {
		i++ // skip the window descriptor, or a content size of one byte
	}
	for i+3 <= len(b) {
		head := int(b[i]) | int(b[i+1])<<8 | int(b[i+2])<<16
		i += 3
		n := head >> 3
		switch head >> 1 & 3 {
		case 1: // an RLE block stores one byte
			n = 1
		case 2:
			if n <= len(b)-i {
				w.zstdBlock(b[i : i+n])
			}
		}
		i += n
	}
}

// zstdBlock counts the sequences and literals of a compressed block.
func (w *Work) zstdBlock(b []byte) {
	var head [8]byte
	copy(head[:], b)
	bits := binary.LittleEndian.Uint64(head[:])
	format := bits >> 2 & 3
	var skip int
	if bits&3 < 2 { // raw literals, or one literal that is repeated
		size := int(bits >> 3 & 31)
		skip = 1
		switch format {
		case 1:
			size, skip = int(bits>>4&0xfff), 2
		case 3:
			size, skip = int(bits>>4&0xfffff), 3
		}
		if bits&3 == 1 {
			size = 1
		}
		skip += size
	} else {
		width := [4]uint{10, 10, 14, 18}[format]
		mask := uint64(1)<<width - 1
		w.Literals += int(bits >> 4 & mask)
		skip = [4]int{3, 3, 4, 5}[format] + int(bits>>(4+width)&mask)
	}
	if skip >= len(b) {
		return
	}
	b = b[skip:]
	switch n := int(b[0]); {
	case n < 128:
		w.Sequences += n
	case n < 255 && len(b) > 1:
		w.Sequences += (n-128)<<8 + int(b[1])
	case len(b) > 2:
		w.Sequences += int(b[1]) + int(b[2])<<8 + 0x7f00
	}
}
