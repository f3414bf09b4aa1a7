package cost

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// eachStream calls each with every stream of the chunk c. stored holds the stored
// bytes, and is nil for a run. n is the number of bytes to which the stream decodes; it
// equals len(stored) if the stream is stored raw. Stored and special chunks, and those
// of variable-length blocks, have no streams.
func eachStream(c []byte, each func(stored []byte, n int)) error {
	l, err := chunk.ParseLayout(c)
	if err != nil {
		return err
	}
	h := &l.Header
	if h.NBytes == 0 || h.Memcpyed() || h.Special() != chunk.NotSpecial || h.VLBlocks() {
		return nil
	}
	for i := range l.NumBlocks {
		size, streams := l.BlockLen(i), 1
		if h.Split() && size == l.BlockSize {
			streams = h.TypeSize
		}
		pos, _ := l.Extent(i)
		for range streams {
			if len(c)-pos < 4 {
				return blockFault(i, pos, "ends before the length of a stream")
			}
			csize := int(int32(binary.LittleEndian.Uint32(c[pos:])))
			pos += 4
			switch {
			case csize > len(c)-pos:
				return blockFault(i, pos-4, "stream has %d bytes, but only %d are left", csize, len(c)-pos)
			case csize > 0:
				each(c[pos:pos+csize], size/streams)
				pos += csize
			default:
				each(nil, size/streams)
				if csize < 0 {
					pos++ // skip the token of a run
				}
			}
		}
	}
	return nil
}

func blockFault(i, offset int, format string, args ...any) error {
	e := blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, format, args...)
	e.Block, e.Offset = i, int64(offset)
	return e
}
