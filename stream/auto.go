package stream

import (
	"bytes"
	"io"
	"math/bits"
	"time"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/shuffle"
	"github.com/seed03b80dae/blosc2/tune"
)

// Auto chooses the parameters from the data, for the link that the result will
// cross: a rate in bytes per second, such as tune.Link(20e6), or a preset:
// tune.Memory, tune.Disk, tune.Network, tune.WAN, tune.Archive for the smallest
// result, or tune.Balanced if the link is unknown. It minimizes the total time to
// compress, to cross the link when writing and when reading, and to decompress. The
// choice depends only on the data and the aim, and on what is seen of the data at first: all
// of them in Compress, and if ReadFrom has a source that can be read at any offset; or else a chunk.
//
// It chooses Codec, Level, Filters, Split, BlockSize and TypeSize, except those
// that are given. The typesize is a power of two up to 16, or that of ItemSize, or the length
// of records of up to 255 bytes that the data consist of; the chunk size is then rounded down
// to a multiple. It decides on the first chunk, and again on later chunks that look different,
// except for the typesize, of which a frame has one. Chunks of a single repeated item are not
// decisive: at the beginning of a stream they are held back until a decisive chunk or a Flush.
// After these, and with WriteChunk, the typesize is a power of two, or that of ItemSize. The
// header records the first choice, unless a Flush sent it earlier.
//
// After Append the typesize is the frame's, and the header records the last choice. If
// less than an eighth of a chunk is new, or it has less than 4 KiB, Auto mostly keeps the
// settings in the header, and chooses again when the chunk has grown to four times its
// length, or is full: in a log to which each start of a program adds a little, searches
// then take little time.
func Auto(aim tune.Aim) WriterOption {
	return writerOption(func(c *writerConfig) { c.aim = aim })
}

// An auto is the state of a Writer with Auto.
type auto struct {
	tuner  *tune.Stream
	params chunk.Params // parameters of the current chunk
	lead   int          // chunks of equal items that wait for the typesize
	item   []byte       // the item that these chunks repeat
	whole  bool         // the caller writes whole chunks
	rest   []byte       // bytes that the last cut removed

	continued bool // Append has opened the frame
	had       int  // bytes of the current chunk that were in the frame before
}

// Chosen returns the parameters of the last submitted chunk, and their expected
// ratio and speed. Without Auto, and before the first chunk, they are the given
// ones.
func (w *Writer) Chosen() tune.Pick {
	if w.auto.tuner == nil {
		return tune.Pick{Params: w.cfg.chunk}
	}
	return w.auto.tuner.Pick()
}

// tuned returns the tuner, and creates it on first use.
func (w *Writer) tuned() *tune.Stream {
	if w.auto.tuner == nil {
		w.auto.tuner = tune.NewStream(tune.Search{Aim: w.cfg.aim, Params: w.cfg.chunk, Keep: w.cfg.keep, Item: w.cfg.itemSize, Records: true, Each: w.coder.each})
	}
	return w.auto.tuner
}

// begun reports whether the typesize is settled, because data have been written or
// submitted.
func (w *Writer) begun() bool {
	return w.frame != nil || w.log != nil || w.stats.Chunks > 0 || w.coder.begun > 0
}

// choose chooses the parameters of a chunk.
func (w *Writer) choose(sample []byte) error {
	if w.cfg.aim == 0 {
		return nil
	}
	t, first := w.tuned(), !w.begun()
	if !first {
		t.KeepTypeSize()
	}
	if w.auto.lead > 0 || w.auto.whole {
		t.KeepPowers()
	}
	if w.auto.continued && !t.Decided() && !w.adds(len(sample)) {
		w.auto.params = w.cfg.chunk
		return nil
	}
	before, chosen := t.Pick().Params, !first && t.Decided()
	p, err := t.Next(sample)
	if err != nil {
		return w.abort(err)
	}
	if now := t.Pick().Params; chosen && (now.Codec != before.Codec || now.Level != before.Level || now.Filters != before.Filters) {
		w.stats.Changes++
	}
	w.auto.params = p
	if first {
		w.cfg.chunk = p
		w.fit(p.TypeSize)
	}
	if w.auto.continued {
		w.frame.SetParams(&p)
	}
	return nil
}

// adds reports whether enough is new in a chunk of n bytes for another choice, after
// Append: the chunk is full, or it has leastChoice bytes and an eighth of them are new, or its
// length has passed a power of four. So a log that grows by a few bytes at a time costs
// few searches.
func (w *Writer) adds(n int) bool {
	had := w.auto.had
	return n >= w.cfg.chunkSize || n >= leastChoice && (n-had >= n/8 || power4(n) > power4(had))
}

// leastChoice is the length of the shortest chunk from which Append chooses; a power of four.
const leastChoice = 4 << 10

// power4 returns how many powers of four are at most n.
func power4(n int) int { return (bits.Len(uint(n)) + 1) / 2 }

// fit makes chunks a multiple of the chosen typesize. Only the first search may choose
// one that is not a power of two, before anything is submitted.
func (w *Writer) fit(typesize int) {
	if w.cfg.keep&tune.KeepTypeSize != 0 {
		return
	}
	if size := w.cfg.chunkSize - w.cfg.chunkSize%max(typesize, 1); size > 0 {
		w.cfg.chunkSize = size
	}
}

// cut removes the bytes beyond a whole chunk from the current job, as chunks may have
// become shorter, and returns them. They are less than an item.
func (w *Writer) cut() []byte {
	n := w.fill - w.cfg.chunkSize
	if n <= 0 {
		return nil
	}
	t := &w.cur.Value
	rest := append(w.auto.rest[:0], t.src[w.cfg.chunkSize:w.fill]...)
	t.src = t.src[:w.cfg.chunkSize]
	w.auto.rest = rest
	w.fill -= n
	w.stats.Bytes -= int64(n)
	return rest
}

// waits reports whether src is an indecisive chunk at the beginning of the stream, which
// is held back. It counts such chunks in lead.
func (w *Writer) waits(src []byte) bool {
	if w.cfg.aim == 0 || w.cfg.keep&tune.KeepTypeSize != 0 || w.cfg.itemSize > 0 || len(src) < w.cfg.chunkSize || w.begun() || w.tuned().Decided() {
		return false
	}
	item := src[:min(tune.MaxWidth, len(src))]
	if !shuffle.Repeats(src, tune.MaxWidth) || w.auto.lead > 0 && !bytes.Equal(item, w.auto.item) {
		return false
	}
	w.auto.lead, w.auto.item = w.auto.lead+1, append(w.auto.item[:0], item...)
	return true
}

// release writes the chunks that were held back.
func (w *Writer) release() error {
	n := w.auto.lead
	if n == 0 {
		return nil
	}
	w.auto.lead = 0
	cur, fill, kept, single := w.cur, w.fill, w.kept, w.coder.single
	w.cur, w.fill, w.kept = nil, 0, 0
	if w.coder.inline() { // the encoder has only the job w.cur, which is kept for later
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
		shuffle.Fill(t.src, w.auto.item)
		var err error
		if t.params, err = w.tuned().Next(t.src); err != nil {
			return w.abort(err)
		}
		if err := w.send(j); err != nil {
			return err
		}
		if err := w.emitAll(); err != nil {
			return err
		}
	}
	w.cur, w.fill, w.kept, w.coder.single = cur, fill, kept, single
	return nil
}

// If the source can be read at any offset, the choice before the first chunk depends on
// samples from this number of places.
const samplePlaces = 8

// sampleLen returns the length of each of these samples: together they are as long as the
// longest sample that a search for the aim uses. See docs/search.md.
func sampleLen(aim tune.Aim) int {
	if aim == tune.Archive {
		return 128 << 10
	}
	return 32 << 10
}

// sampleSource samples the source from its current offset to its end. The job that holds the
// sample gets memory for room bytes at least.
func (w *Writer) sampleSource(r io.Reader, room int) error {
	s, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	})
	fresh := !w.begun() || w.auto.continued && w.stats.Chunks == 0 && w.coder.begun == 0
	if w.cfg.aim == 0 || w.stats.Bytes > 0 || !fresh || !ok {
		return nil
	}
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil // the source has no offsets, like a pipe
	}
	end, err := s.Seek(0, io.SeekEnd)
	if _, back := s.Seek(at, io.SeekStart); back != nil {
		return back
	}
	length := sampleLen(w.cfg.aim)
	if err != nil || end-at < int64(max(w.cfg.chunkSize, 2*length*samplePlaces)) {
		return nil
	}
	if err := w.take(); err != nil { // a job holds the sample, and the workers help with the search
		return err
	}
	var sample []byte
	if w.fill > 0 { // Append has put the end of the frame there
		sample = make([]byte, length*samplePlaces)
	} else {
		sample = w.cur.Value.room(max(room, length*samplePlaces))[:length*samplePlaces]
	}
	var offsets [samplePlaces]int64
	for i := range offsets {
		from := (end - at - int64(length)) / (samplePlaces - 1) * int64(i)
		from -= from % tune.MaxWidth
		if _, err := s.ReadAt(sample[i*length:(i+1)*length], at+from); err != nil {
			return nil // reading from the beginning will return the error, if it persists
		}
		offsets[i] = from
	}
	t := w.tuned()
	err = func() error {
		held := w.fill
		if held == 0 {
			held = len(sample)
		}
		defer w.touch(held)() // also if a filter panics
		return t.Begin(sample, offsets[:], end-at)
	}()
	if err != nil {
		return w.abort(err)
	}
	if t.Decided() {
		w.fit(t.Pick().Params.TypeSize)
		if w.fill == 0 && float64(end-at) <= t.Pick().Compress*brief.Seconds() {
			w.coder.dismiss(w.cur)
		}
	}
	return nil
}

// A stream that one worker is expected to compress in this time has only one.
const brief = 2 * time.Millisecond
