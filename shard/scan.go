package shard

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/xxh3"
)

// A scanner finds the chunks of a shard in pieces of any size. It records their
// lengths and the digest of all.
type scanner struct {
	plan   *Plan
	n, end int64  // number of the next chunk, and end of the range
	head   []byte // bytes of the next chunk's header so far
	left   int64  // number of remaining bytes of the current chunk and its record
	len    int64  // total number of bytes
	chunks []int64
	digest xxh3.Hasher
	over   bool // all chunks have been scanned
}

func (p *Plan) scan(k int) scanner {
	s := scanner{plan: p, head: make([]byte, 0, chunk.MinHeaderLen)}
	s.n, s.end = p.Chunks(k)
	s.over = s.n == s.end
	return s
}

// pass scans p, and calls out, unless it is nil, with the bytes of chunks. It
// ignores the bytes after the last chunk.
func (s *scanner) pass(p []byte, out func([]byte) error) error {
	put := func(b []byte) error {
		s.digest.Write(b)
		s.len += int64(len(b))
		if out == nil {
			return nil
		}
		return out(b)
	}
	for len(p) > 0 && !s.over {
		if s.left > 0 {
			k := min(s.left, int64(len(p)))
			if err := put(p[:k]); err != nil {
				return err
			}
			p = p[k:]
			s.left -= k
			s.over = s.left == 0 && s.n == s.end
			continue
		}
		k := min(cap(s.head)-len(s.head), len(p))
		s.head = append(s.head, p[:k]...)
		p = p[k:]
		if len(s.head) < cap(s.head) {
			return nil
		}
		if err := s.begin(); err != nil {
			return err
		}
		if err := put(s.head); err != nil {
			return err
		}
		s.head = s.head[:0]
	}
	return nil
}

// begin reads the header of the next chunk.
func (s *scanner) begin() error {
	nbytes := int64(int32(binary.LittleEndian.Uint32(s.head[4:])))
	cbytes := int64(int32(binary.LittleEndian.Uint32(s.head[12:])))
	want := int64(s.plan.chunkLen(s.n))
	if nbytes != want || cbytes <= chunk.HeaderLen || cbytes > want+chunk.Overhead {
		return blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "invalid sizes: nbytes %d, cbytes %d; nbytes must be %d", nbytes, cbytes, want), s.n, s.len)
	}
	s.chunks = append(s.chunks, cbytes)
	s.left = cbytes - int64(len(s.head))
	if s.plan.checks {
		s.left += framing.RecordLen
	}
	s.n++
	return nil
}
