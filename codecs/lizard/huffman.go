package lizard

import "github.com/klauspost/compress/huff0"

// A huffReader reads the streams of a sub-block. It decodes those that are Huffman
// coded to a buffer that the next sub-block reuses.
type huffReader struct {
	scratch huff0.Scratch
	buf     []byte
}

func (h *huffReader) reset() { h.buf = h.buf[:0] }

// stream splits src into the stream at its beginning and the rest. A stream is its length
// (u24) and bytes or, if it is coded, its decoded length (u24), coded length (u24) and data.
func (h *huffReader) stream(src []byte, coded bool) (stream, rest []byte, err error) {
	head := 3
	if coded {
		head = 6
	}
	if len(src) < head {
		return nil, nil, corrupt("truncated head of a stream")
	}
	n := u24(src)
	size := n
	if coded {
		size = u24(src[3:])
	}
	if size > len(src)-head {
		return nil, nil, corrupt("stream has %d bytes, but only %d are left", size, len(src)-head)
	}
	stream, rest = src[head:head+size], src[head+size:]
	if coded {
		stream, err = h.decode(stream, n)
	}
	return stream, rest, err
}

// decode decodes zstd-style Huffman data: a table, a jump table and four interleaved
// streams; or raw data or a single repeated byte, which Lizard's library also writes.
func (h *huffReader) decode(data []byte, n int) ([]byte, error) {
	if n == 0 || n > maxSubBlock || len(data) == 0 || len(data) > n {
		return nil, corrupt("%d bytes of Huffman data cannot decode to %d", len(data), n)
	}
	if len(data) == n {
		return data, nil
	}
	out := h.grow(n)
	if len(data) == 1 {
		for i := range out {
			out[i] = data[0]
		}
		return out, nil
	}
	h.scratch.MaxDecodedSize = maxSubBlock
	s, data, err := huff0.ReadTable(data, &h.scratch)
	if err != nil {
		return nil, corrupt("invalid Huffman table: %v", err)
	}
	got, err := s.Decoder().Decompress4X(out, data)
	if err != nil {
		return nil, corrupt("invalid Huffman data: %v", err)
	}
	if len(got) != n {
		return nil, corrupt("Huffman data decode to %d bytes, not %d", len(got), n)
	}
	return got, nil
}

// grow extends the buffer by n bytes and returns these. Slices returned earlier remain
// valid until reset.
func (h *huffReader) grow(n int) []byte {
	at := len(h.buf)
	if cap(h.buf)-at < n {
		h.buf = make([]byte, 0, at+n) // not copied: slices of the old buffer remain valid
		at = 0
	}
	h.buf = h.buf[:at+n]
	return h.buf[at : at+n : at+n]
}
