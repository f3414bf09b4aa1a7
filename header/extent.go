package header

import (
	"encoding/binary"
	"math"
)

// TrailerExtent tells, from the first bytes of a trailer of the current
// layout, how many bytes there must be to go on: n, or, if whole is true, how
// many the trailer has. So a trailer can be read from a source that cannot
// seek, and nothing behind it: read until n bytes are there, and ask again.
//
// What it has seen of the trailer is [blosc2.ErrCorrupt] if it is none.
func TrailerExtent(b []byte) (n int, whole bool, err error) {
	const (
		indexAt   = 9 // behind 94 01 93, the size of the index and its number
		countSize = 3
		valueHead = 5
	)
	n = indexAt
	if len(b) < n {
		return n, false, nil
	}
	if b[0] != leadTrailer || b[1] != trailerVersion || b[2] != leadSection || b[3] != 0xcd || b[6] != 0xde {
		return 0, false, corruptTrailer(0, "no trailer begins with % x", b[:n])
	}
	n += int(binary.BigEndian.Uint16(b[4:])) - (indexAt - sectionAt - 1) + countSize
	if n < indexAt+countSize {
		return 0, false, corruptTrailer(3, "index of %d bytes", n)
	}
	if len(b) < n {
		return n, false, nil
	}
	if b[n-countSize] != 0xdc {
		return 0, false, corruptTrailer(n-countSize, "found byte %#02x where the values should stand", b[n-countSize])
	}
	for left := binary.BigEndian.Uint16(b[n-2:]); left > 0; left-- {
		if len(b) < n+valueHead {
			return n + valueHead, false, nil
		}
		if b[n] != leadBin32 {
			return 0, false, corruptTrailer(n, "found byte %#02x where a value should stand", b[n])
		}
		size := int64(binary.BigEndian.Uint32(b[n+1:]))
		if int64(n)+valueHead+size > math.MaxInt32-TrailerEnd {
			return 0, false, corruptTrailer(n, "value of %d bytes", size)
		}
		n += valueHead + int(size)
		if len(b) < n {
			return n, false, nil
		}
	}
	return n + TrailerEnd, len(b) >= n+TrailerEnd, nil
}
