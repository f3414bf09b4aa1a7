package frame

import (
	"errors"
	"io"
)

// scan finds the chunks of an unsealed frame by walking from one to the next.
func (f *Reader) scan() error {
	w := newScanner(f.src, f.size, f.cfg.limits)
	sizes := make([]int64, 0, 64)
	var buf []byte
	for {
		it, err := w.Next(buf)
		if err == io.EOF {
			break
		}
		if f.cfg.partial && errors.Is(err, io.ErrUnexpectedEOF) {
			f.end = err
			break
		}
		if err != nil {
			return err
		}
		buf = it.Chunk[:0]
		sizes = append(sizes[:it.N], int64(it.NBytes))
	}
	f.index, f.nbytes, f.vlmeta = w.offsets, w.sum, w.vlmeta
	f.rec1, f.cbytes = f.mark.checks, w.indexAt-int64(len(f.raw))
	f.frameLen, f.trailerAt = w.Pos(), w.Pos()
	f.setStarts(sizes)
	f.chunks = contiguous{f.src, int64(len(f.raw)), w.Pos()}
	return nil
}
