package frame

import "github.com/seed03b80dae/blosc2"

// Truncate drops all decoded bytes from offset size on. If size is within a chunk, the
// rest of that chunk is written again. That is an error if filters or codec are lossy.
// The bytes of dropped chunks stay in the file until Compact.
func (e *Editor) Truncate(size int64) error {
	if e.err != nil {
		return e.err
	}
	if size < 0 || size > e.Size() {
		return &blosc2.OptionError{Option: "size", Value: size, Range: "0 to the size of the frame"}
	}
	n, keep := e.NumChunks(), e.Size()
	for n > 0 && keep-e.sizes[n-1] >= size {
		n--
		keep -= e.sizes[n]
	}
	cut := keep - size // bytes to drop from chunk n-1
	var rest []byte
	if cut > 0 {
		if !e.b.lossless() {
			return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrUnsupported, "cutting a chunk with a lossy filter or codec")
		}
		data, err := e.Chunk(nil, n-1)
		if err != nil {
			return err
		}
		rest = data[:int64(len(data))-cut]
	}
	for e.NumChunks() > n {
		if err := e.Delete(e.NumChunks() - 1); err != nil {
			return err
		}
	}
	if cut > 0 {
		return e.Update(n-1, rest)
	}
	return nil
}
