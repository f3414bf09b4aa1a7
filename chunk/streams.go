package chunk

import "github.com/seed03b80dae/blosc2"

// EachStream calls each with every stream of the chunk c: its stored bytes,
// none of a run, and the bytes that it decodes to; the two have the same length
// where it is stored raw. Chunks without streams (stored, special, and those of
// variable-length blocks) have none. It serves statistics of what a
// codec made of the data.
func EachStream(c []byte, each func(stored []byte, n int)) error {
	var l Layout
	if err := l.parse(c); err != nil {
		return err
	}
	if !l.Header.regular() || l.Header.VLBlocks() {
		return nil
	}
	for i := range l.NumBlocks {
		streams := 1
		if l.Header.Split() && l.full(i) {
			streams = l.Header.TypeSize
		}
		pos, size := l.start(i), l.BlockLen(i)/streams
		for range streams {
			if pos < 0 || len(c)-pos < 4 {
				return blockFault(i, pos, blosc2.ErrCorrupt, "no room for the length of a stream")
			}
			csize := i32(c[pos:])
			pos += 4
			switch {
			case csize > len(c)-pos:
				return blockFault(i, pos-4, blosc2.ErrCorrupt, "stream of %d bytes in %d", csize, len(c)-pos)
			case csize > 0:
				each(c[pos:pos+csize], size)
				pos += csize
			default:
				each(nil, size)
				if csize < 0 {
					pos++ // the token of a run
				}
			}
		}
	}
	return nil
}
