package zstd

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// A script makes sequences that no encoder would make, and their content: every way to
// repeat a distance, copies of all lengths around the limits of the fast loop, and
// distances around the length of a word.
type script struct {
	r       *rand.Rand
	rep     [3]int
	content []byte
}

func (s *script) pick(limits ...int) int { return s.r.IntN(limits[s.r.IntN(len(limits))]) }

// next makes a sequence, appends its content and returns it.
func (s *script) next() lz77.Seq {
	literals := s.pick(1, 1, 1, 4, 16, 17, 40, 300, 1+s.pick(1, 1, 20000))
	if len(s.content) == 0 {
		literals++
	}
	for range literals {
		s.content = append(s.content, byte(s.r.Uint32()&31))
	}
	length := 3 + s.pick(2, 6, 14, 15, 31, 33, 80, 600, 1+s.pick(1, 1, 20000))
	var distance, off int
	for distance < 1 || distance > len(s.content) {
		if off = s.pick(4, 1000); off < 1 || off > 3 {
			distance = 1 + s.pick(8, 17, 40, 1000, len(s.content))
			off = distance + lz77.RepeatCodes
			continue
		}
		which := off - 1
		if literals == 0 {
			which++
		}
		if distance = s.rep[0] - 1; which < 3 {
			distance = s.rep[which]
		}
	}
	switch r := s.rep; {
	case off == 1 && literals > 0:
	case off == 2 && literals > 0, off == 1:
		s.rep = [3]int{distance, r[0], r[2]}
	default:
		s.rep = [3]int{distance, r[0], r[1]}
	}
	for range length {
		s.content = append(s.content, s.content[len(s.content)-distance])
	}
	return lz77.Seq{Literals: uint32(literals), Length: uint32(length), Off: uint32(off)}
}

// frame makes a frame of blocks of sequences.
func (s *script) frame(e *Encoder, blocks, most int) []byte {
	s.rep = [3]int{1, 4, 8}
	s.content = s.content[:0]
	var out []byte
	for i := range blocks {
		var seqs []lz77.Seq
		from := len(s.content)
		for n := 1 + s.r.IntN(most); len(seqs) < n && len(s.content)-from < maxBlock-40000; {
			seqs = append(seqs, s.next())
		}
		block := s.content[from:]
		at := len(out)
		out = appendBlock(out, compressed, 0, i == blocks-1)
		out = e.appendLiterals(out, block, seqs)
		out = e.appendSequences(out, seqs, 1<<20)
		appendBlock(out[:at], compressed, len(out)-at-3, i == blocks-1)
	}
	return append(appendHeader(nil, len(s.content)), out...)
}

// Any sequences that a frame can hold are executed with the same result as by klauspost's
// library.
func TestDecodeSequences(t *testing.T) {
	prepare()
	library := newLibrary(t)
	var e Encoder
	var d Decoder
	for seed := range uint64(400) {
		s := script{r: rand.New(rand.NewPCG(seed, 5))}
		frame := s.frame(&e, 1+int(seed%4), 1<<(seed%14))
		if back, err := library.DecodeAll(frame, nil); err != nil || !bytes.Equal(back, s.content) {
			t.Fatalf("seed %d, %d bytes: the library reads something else, error %v", seed, len(s.content), err)
		}
		if back, err := both(t, &d, frame, len(s.content)); err != nil || !bytes.Equal(back, s.content) {
			t.Fatalf("seed %d, %d bytes: we read something else, error %v", seed, len(s.content), err)
		}
	}
}
