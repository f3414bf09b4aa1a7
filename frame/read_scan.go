package frame

import (
	"errors"
	"io"
	"slices"
)

// scan finds the chunks of an unsealed frame by walking from one to the next.
func (f *Reader) scan() error {
	return f.walk(newScanner(f.src, f.size, f.cfg.limits), make([]int64, 0, 64))
}

// scanFrom continues a scan that reached the end of the source within a frame
// with the same header.
func (f *Reader) scanFrom(was *Reader) error {
	if was.whole == 0 {
		return f.scan()
	}
	w := newScanner(f.src, f.size, f.cfg.limits)
	w.raw, w.h, w.mark, w.place = f.raw, f.h, f.mark, atChunk
	w.src.at.Seek(was.whole, io.SeekStart)
	w.src.pos, w.offsets, w.sum = was.whole, slices.Clone(was.index), was.nbytes
	sizes := make([]int64, len(was.index), len(was.index)+64)
	for i := range sizes {
		sizes[i] = was.starts[i+1] - was.starts[i]
		w.last = sizes[i]
	}
	f.whole = was.whole
	return f.walk(w, sizes)
}

// walk is like scan, from the position of w, after chunks of the given sizes.
func (f *Reader) walk(w *Walker, sizes []int64) error {
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
		f.whole = w.Pos()
	}
	f.index, f.nbytes, f.vlmeta = w.offsets, w.sum, w.vlmeta
	f.rec1, f.cbytes = f.mark.checks, w.indexAt-int64(len(f.raw))
	f.frameLen, f.trailerAt = w.Pos(), w.Pos()
	f.setStarts(sizes)
	f.chunks = contiguous{f.src, int64(len(f.raw)), w.Pos()}
	return nil
}
