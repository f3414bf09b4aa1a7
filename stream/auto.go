package stream

import (
	"io"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/shuffle"
	"github.com/seed03b80dae/blosc2/tune"
)

// Auto has the parameters chosen by the data for what these will go through: a
// link of that many bytes a second, such as tune.Link(20e6), or one of the usual,
// tune.Memory, tune.Disk, tune.Network, tune.WAN, tune.Archive for the smallest
// result, and tune.Balanced where none of these is known. What is picked takes the
// least time in all, to compress, to cross the link when it is written and when it
// is read, and to decompress; it depends on the data and the aim alone.
//
// Codec, Level, Filters, Split, BlockSize and TypeSize are chosen if they are not
// given, and stay as they are given. The first chunk decides, and later ones that
// look different choose anew, except the typesize: a frame has one. Chunks that
// are all the same byte decide nothing; where a stream begins with them they are
// held back until one decides, or a Flush. The header records the first pick,
// unless a Flush sent it before there was a chunk to look at.
func Auto(aim tune.Aim) WriterOption {
	return writerOption(func(c *writerConfig) { c.aim = aim })
}

// An auto is what a Writer with an aim remembers.
type auto struct {
	tuner  *tune.Stream
	params chunk.Params // for the current chunk
	lead   int          // chunks of equal bytes that wait for the typesize
	value  byte         // which byte
}

// Chosen returns the parameters of the chunk that was handed over last, and what
// is expected of them. Without Auto, and before the first chunk, they are those
// that were given.
func (w *Writer) Chosen() tune.Pick {
	if w.auto.tuner == nil {
		return tune.Pick{Params: w.cfg.chunk}
	}
	return w.auto.tuner.Pick()
}

// tuned returns the tuner, which is made when it is first needed.
func (w *Writer) tuned() *tune.Stream {
	if w.auto.tuner == nil {
		w.auto.tuner = tune.NewStream(tune.Search{Aim: w.cfg.aim, Params: w.cfg.chunk, Keep: w.cfg.keep, Each: w.coder.each})
	}
	return w.auto.tuner
}

// begun reports whether the typesize is settled: something is written, or on its
// way.
func (w *Writer) begun() bool {
	return w.frame != nil || w.log != nil || w.stats.Chunks > 0 || w.coder.begun > 0
}

// choose looks at a chunk before it is compressed.
func (w *Writer) choose(sample []byte) error {
	if w.cfg.aim == 0 {
		return nil
	}
	t, first := w.tuned(), !w.begun()
	if !first {
		t.KeepTypeSize()
	}
	p, err := t.Next(sample)
	if err != nil {
		return w.abort(err)
	}
	w.auto.params = p
	if first {
		w.cfg.chunk = p
	}
	return nil
}

// waits reports whether a chunk is one of those at the beginning that decide
// nothing, and need not be written before one that does. It is counted then.
func (w *Writer) waits(src []byte) bool {
	if w.cfg.aim == 0 || w.cfg.keep&tune.KeepTypeSize != 0 || len(src) < w.cfg.chunkSize || w.begun() || w.tuned().Decided() {
		return false
	}
	v, same := shuffle.IsRun(src)
	if !same || w.auto.lead > 0 && v != w.auto.value {
		return false
	}
	w.auto.lead, w.auto.value = w.auto.lead+1, v
	return true
}

// release writes the chunks that waited.
func (w *Writer) release() error {
	n := w.auto.lead
	if n == 0 {
		return nil
	}
	w.auto.lead = 0
	cur, fill, kept, single := w.cur, w.fill, w.kept, w.coder.single
	w.cur, w.fill, w.kept = nil, 0, 0
	if w.coder.inline() { // cur is the only job
		w.coder.single = new(job)
	}
	for range n {
		if err := w.take(); err != nil {
			return err
		}
		j := w.cur
		w.cur = nil
		t := &j.Value
		t.src = t.room(w.cfg.chunkSize)
		shuffle.Fill(t.src, []byte{w.auto.value})
		t.params = w.cfg.chunk
		w.coder.submit(j)
		if err := w.emitAll(); err != nil {
			return err
		}
	}
	w.cur, w.fill, w.kept, w.coder.single = cur, fill, kept, single
	return nil
}

// Where a source can be read at any place, so much of so many places decides
// before the first chunk does.
const (
	foreseen      = 32 << 10
	foreseePlaces = 8
)

// foresee looks at places of the source from where it is to its end.
func (w *Writer) foresee(r io.Reader) error {
	s, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	})
	if w.cfg.aim == 0 || w.stats.Bytes > 0 || w.begun() || !ok {
		return nil
	}
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil // a pipe
	}
	end, err := s.Seek(0, io.SeekEnd)
	if _, back := s.Seek(at, io.SeekStart); back != nil {
		return back
	}
	if err != nil || end-at < int64(max(w.cfg.chunkSize, 2*foreseen*foreseePlaces)) {
		return nil
	}
	sample := make([]byte, foreseen*foreseePlaces)
	for i := range int64(foreseePlaces) {
		from := (end - at - foreseen) / (foreseePlaces - 1) * i
		from -= from % tune.MaxWidth
		if _, err := s.ReadAt(sample[i*foreseen:(i+1)*foreseen], at+from); err != nil {
			return nil // reading from the beginning will say it, or not
		}
	}
	err = w.coder.begin() // its workers take part
	if err == nil {
		err = w.tuned().Begin(sample, end-at)
	}
	if err != nil {
		return w.abort(err)
	}
	return nil
}
