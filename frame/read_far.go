package frame

import (
	"context"
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/ranges"
)

// If a source has the method ReadRanges, the bytes that are needed are first fetched into
// a ranges.Ahead, in as few waves as possible. Then they are read as from any other
// source. docs/remote.md has the reasons for these sizes.

const (
	frontLen   = 4 << 10   // size of the first read of a frame
	smallFrame = 64 << 10  // a frame of up to this size is read as a whole
	tailMost   = 1 << 20   // a longer tail is read in two steps
	tailFirst  = 256 << 10 // size of the first of these two steps
	beforeTail = 64 << 10  // bytes to read before the tail, if the size of the last chunk must be checked
	smallChunk = 32 << 10  // a chunk of up to this stored size is read as a whole, without reading its head first
	tinyChunk  = 8 << 10   // a chunk of up to this stored size is read with its neighbours in the same 8 KiB
)

// Far reports whether the source is remote: see ranges.ReaderAt.
func (f *Reader) Far() bool { return f.ahead != nil }

// fetchWants reads the bytes that wants need from a remote source, and holds them until
// Release. It first reads the heads of all chunks together, and then all blocks together.
// It reads a whole chunk instead in three cases: if nearly all of it is wanted, if it is
// short, or if many chunks are wanted and the rest of it costs less than another request
// (see ranges.Cost). It returns nil if the source is not remote. It ignores chunks that
// do not exist or are damaged, because the following read returns the error.
func (f *Reader) fetchWants(ctx context.Context, wants ...framing.Want) (*ranges.Held, error) {
	if f.ahead == nil {
		return nil, nil
	}
	first := f.atOnce.Swap(false)
	var heads []framing.Want
	spans := make([]ranges.Span, 0, len(wants))
	cost := f.ahead.Cost()
	many := f.exceedsAtOnce(wants, cost)
	last := int64(-1)
	for _, w := range wants {
		span, ok := f.stretch(w.Chunk)
		if !ok {
			continue
		}
		if !f.nearlyAll(w, span) && !(many && f.worthAll(w, span, last, cost)) {
			heads = append(heads, w)
			span.Len = f.headAndBlocks(w, span, first && len(wants) == 1)
		} else if span.Len <= tinyChunk {
			span = f.wholeUnits(span)
		}
		spans = append(spans, span)
		last = w.Chunk
	}
	held, err := f.ahead.Fetch(ctx, spans...)
	if err != nil || len(heads) == 0 {
		return held, err
	}
	blocks, err := f.fetchBlocks(ctx, heads)
	if err != nil {
		held.Release()
		return nil, err
	}
	if len(heads) == len(wants) {
		held.Keep()
	}
	held.Join(blocks)
	return held, nil
}

// fetchBlocks makes the second wave of fetchWants. The heads have been fetched already.
func (f *Reader) fetchBlocks(ctx context.Context, wants []framing.Want) (*ranges.Held, error) {
	s := new(state) // the following read may find the last block in this state
	var spans []ranges.Span
	for _, w := range wants {
		whole, _ := f.stretch(w.Chunk)
		l, err := f.layout(s, w.Chunk, false)
		if err != nil {
			continue
		}
		if l.Header.VLBlocks() && w.Blocks == nil || l.BlockSize == 0 && !l.Header.VLBlocks() {
			spans = append(spans, whole)
			continue
		}
		first := len(spans)
		sum := int64(0)
		add := func(b int) {
			if b >= 0 && b < l.NumBlocks {
				off, n := l.Extent(b)
				spans = append(spans, ranges.Span{Off: whole.Off + int64(off), Len: int64(n)})
				sum += int64(n)
			}
		}
		if l.NeedsRef() {
			add(0)
		}
		for _, b := range w.Blocks {
			add(b)
		}
		if size := int64(l.BlockSize); w.Blocks == nil && size > 0 {
			for b := w.From / size; b*size < w.To; b++ {
				add(int(b))
			}
		}
		if 4*sum >= 3*whole.Len {
			spans = append(spans[:first], whole)
		}
	}
	return f.ahead.Fetch(ctx, spans...)
}

// nearlyAll reports whether to read the whole chunk, whose bytes are span.
func (f *Reader) nearlyAll(w framing.Want, span ranges.Span) bool {
	size := int64(f.h.ChunkSize)
	if f.fixed() {
		size = f.expected(w.Chunk)
	}
	switch {
	case f.cfg.whole || span.Len <= smallChunk || w.Blocks == nil && w.To == 0:
		return true
	case w.Blocks == nil:
		return size > 0 && 4*(w.To-w.From) >= 3*size
	}
	return f.wantsAll(len(w.Blocks)) || size > 0 && 4*int64(len(w.Blocks))*int64(f.h.BlockSize) >= 3*size
}

// exceedsAtOnce reports whether so many chunks are wanted that not all requests can be
// in flight at once. Then each further request costs time.
func (f *Reader) exceedsAtOnce(wants []framing.Want, cost ranges.Cost) bool {
	n := 0
	for _, w := range wants {
		if w.Chunk >= 0 {
			n++
		}
	}
	return n > cost.AtOnce
}

// worthAll reports whether reading a whole chunk costs no more than the requests that it
// saves. The bytes of the chunk are span. It saves the request for the blocks and, if the
// chunk is adjacent to last, also that for the head.
func (f *Reader) worthAll(w framing.Want, span ranges.Span, last int64, cost ranges.Cost) bool {
	saved := cost.Request
	if last >= 0 && w.Chunk == last+1 {
		saved *= 2
	}
	return span.Len-f.part(w, span.Len) <= saved
}

// part returns approximately the number of stored bytes of a chunk that a want needs.
func (f *Reader) part(w framing.Want, stored int64) int64 {
	size, part := int64(f.h.ChunkSize), w.To-w.From
	if w.Blocks != nil {
		part = int64(len(w.Blocks)) * int64(f.h.BlockSize)
	}
	if part <= 0 || part >= size {
		return stored
	}
	return int64(float64(stored) * float64(part) / float64(size))
}

// headAndBlocks returns the number of bytes to read for the head of a chunk, whose bytes
// are span. They include the blocks of w in two cases: if these seem so near that the
// bytes before them cost less than a request, or if the chunk should be read with one
// request, of at most 4 MiB.
func (f *Reader) headAndBlocks(w framing.Want, span ranges.Span, only bool) int64 {
	head := min(span.Len, f.headGuess(w.Chunk))
	size, block := int64(f.h.ChunkSize), int64(f.h.BlockSize)
	if only && span.Len <= ranges.Most && block <= 0 {
		return span.Len
	}
	if size <= 0 || block <= 0 {
		return head
	}
	end := f.partEnd(w.Chunk, span, float64(w.To)/float64(size))
	for _, b := range w.Blocks {
		end = max(end, f.blocksEnd(w.Chunk, span, b))
	}
	if end-f.part(w, span.Len) > ranges.Gap && !(only && end <= ranges.Most) {
		return head
	}
	return end
}

// learn records where the blocks of the first chunk end, if opening has read its head with
// the first bytes of the frame. Other chunks are assumed to be similar.
func (f *Reader) learn() {
	if f.ahead == nil || len(f.index) == 0 || !f.fixed() || f.h.BlockSize == 0 || f.cfg.whole {
		return
	}
	span, ok := f.stretch(0)
	if !ok || span.Off+min(span.Len, f.headGuess(0)) > frontLen {
		return
	}
	l, err := f.layout(new(state), 0, false)
	if err != nil || l.Header.Special() != chunk.NotSpecial {
		return
	}
	f.ends = make([]int32, l.NumBlocks)
	last := 0
	for b := range f.ends {
		off, n := l.Extent(b)
		last = max(last, off+n)
		f.ends[b] = int32(last)
	}
}

// blocksEnd estimates where block b of chunk n ends, and all blocks before it. The bytes
// of the chunk are span.
func (f *Reader) blocksEnd(n int64, span ranges.Span, b int) int64 {
	part := float64(b+1) * float64(f.h.BlockSize) / float64(f.h.ChunkSize)
	if head := f.headGuess(n); b < len(f.ends) && span.Len > head {
		end, all := int64(f.ends[b]), int64(f.ends[len(f.ends)-1])
		switch {
		case n == 0:
			return min(end, span.Len)
		case all > head:
			part = float64(end-head) / float64(all-head)
		}
	}
	return f.partEnd(n, span, part)
}

// partEnd estimates where the given part of the blocks of chunk n ends. It adds a
// quarter, because the stored sizes of blocks differ.
func (f *Reader) partEnd(n int64, span ranges.Span, part float64) int64 {
	head := min(span.Len, f.headGuess(n))
	return min(span.Len, head+int64(1.25*float64(span.Len-head)*part))
}

// wholeUnits returns s extended to whole units of 8 KiB.
func (f *Reader) wholeUnits(s ranges.Span) ranges.Span {
	end := min((s.End()+tinyChunk-1)&^(tinyChunk-1), f.size)
	s.Off &^= tinyChunk - 1
	s.Len = end - s.Off
	return s
}

// StoredLen returns an upper bound of the stored size of chunk n, or 0 if the chunk is
// only an entry of the index. It does not read the chunk. In a frame that was edited the
// bound may be much too large.
func (f *Reader) StoredLen(n int64) int64 {
	span, _ := f.stretch(n)
	return span.Len
}

// stretch returns the bytes of chunk n and its record in the source: up to the next
// chunk, or the maximum length. ok is false if the chunk is not in the source, or is read
// in another way.
func (f *Reader) stretch(n int64) (span ranges.Span, ok bool) {
	if n < 0 || n >= int64(len(f.index)) || f.index[n] < 0 || f.h.Type != header.Contiguous {
		return span, false
	}
	if o, _ := f.openAt(f.index[n]); o != nil {
		return span, false
	}
	f.sorting.Do(func() {
		for _, entry := range f.index {
			if entry >= 0 {
				f.places = append(f.places, entry)
			}
		}
		slices.Sort(f.places)
	})
	end := f.mem.store.end - f.mem.store.first
	if i, _ := slices.BinarySearch(f.places, f.index[n]+1); i < len(f.places) {
		end = f.places[i]
	}
	most := f.cfg.limits.Chunk
	if f.h.ChunkSize > 0 {
		most = min(most, int64(f.h.ChunkSize))
	}
	at := f.chunks.place(f.index[n])
	span = ranges.Span{Off: at, Len: min(end-f.index[n], most+chunk.Overhead+recordLen, f.size-at)}
	return span, span.Len > 0
}

// hold is like Fetch, for a read that is about to begin. It returns no error, because the
// read will return it.
func (f *Reader) hold(w framing.Want) *ranges.Held {
	if f.ahead == nil {
		return nil
	}
	held, _ := f.fetchWants(f.Context(), w)
	return held
}

// Context returns the context for reads from a remote source, which the option Context
// sets.
func (f *Reader) Context() context.Context {
	if f.cfg.ctx != nil {
		return f.cfg.ctx
	}
	return context.Background()
}

// setSource sets the source to r, or, if it is remote, to f.ahead.
func (f *Reader) setSource(r io.ReaderAt) {
	f.src = r
	if src, ok := ranges.Of(r); ok {
		f.ahead = ranges.NewAhead(src)
		f.src = f.ahead
	}
}

// holdFront reads the beginning of the frame, or the whole frame if it is small.
func (f *Reader) holdFront() (*ranges.Held, error) {
	if f.ahead == nil {
		return nil, nil
	}
	n := int64(frontLen)
	if f.size <= smallFrame {
		n = f.size
	}
	return f.ahead.Fetch(f.Context(), ranges.Span{Len: n})
}

// holdTail fetches the bytes after the chunks. It ignores invalid sizes, for which
// readEnds returns an error.
func (f *Reader) holdTail() (*ranges.Held, error) {
	headerLen := int64(len(f.raw))
	if f.ahead == nil || f.h.Type != header.Contiguous || f.frameLen > f.size || f.frameLen < headerLen {
		return nil, nil
	}
	begin := headerLen
	if f.h.NBytes > 0 {
		begin = f.indexAt() - endMarkLen
	}
	if f.mustMeasure() {
		begin -= beforeTail
	}
	begin = max(begin, 0)
	tail := ranges.Span{Off: begin, Len: f.frameLen - begin}
	if tail.Len <= tailMost {
		return f.ahead.Fetch(f.Context(), tail)
	}
	held, err := f.ahead.Fetch(f.Context(), ranges.Span{Off: begin, Len: tailFirst})
	if err != nil {
		return nil, err
	}
	var head [chunk.HeaderLen]byte
	if err := f.readAt(blosc2.PartIndex, head[:], f.indexAt()); err != nil {
		return held, nil
	}
	h, err := chunk.ParseHeader(head[:])
	after := f.frameLen - f.indexAt() - int64(h.CBytes)
	if err != nil || int64(h.CBytes) > f.cfg.limits.Index || after < 0 || after > f.cfg.limits.Trailer {
		return held, nil
	}
	rest, err := f.ahead.Fetch(f.Context(), ranges.Span{Off: begin + tailFirst, Len: tail.Len - tailFirst})
	if err != nil {
		held.Release()
		return nil, err
	}
	held.Join(rest)
	return held, nil
}

// mustMeasure reports whether opening checks the size of the last chunk: see
// findIrregular.
func (f *Reader) mustMeasure() bool {
	return !f.mark.holds && f.h.ChunkSize > 0 && f.h.NBytes%int64(f.h.ChunkSize) != 0
}

// headGuess estimates how many bytes the layout of chunk n takes.
func (f *Reader) headGuess(n int64) int64 {
	blocks := int64(64) // a guess of the number of blocks
	if size := int64(f.h.BlockSize); size > 0 && f.fixed() {
		blocks = min((f.expected(n)+size-1)/size, nearby)
	}
	return chunk.HeaderLen + 4*blocks
}

// holdHeads fetches the headers of all chunks.
func (f *Reader) holdHeads() *ranges.Held {
	if f.ahead == nil {
		return nil
	}
	var spans []ranges.Span
	for _, entry := range f.index {
		if entry >= 0 && f.h.Type == header.Contiguous {
			spans = append(spans, ranges.Span{Off: f.chunks.place(entry), Len: min(chunk.HeaderLen, f.size-f.chunks.place(entry))})
		}
	}
	held, _ := f.ahead.Fetch(f.Context(), spans...)
	return held
}

// aheadOf returns the lookahead for a ReadAt of n bytes at off. It returns nil if the
// read needs only one chunk.
func (f *Reader) aheadOf(off, n int64) (*stepsAhead, error) {
	if f.ahead == nil || off >= f.nbytes {
		return nil, nil
	}
	end := min(off+n, f.nbytes)
	first, err := f.find(off)
	if err != nil {
		return nil, err
	}
	if _, to, err := f.extent(first); err != nil || to >= end {
		return nil, err
	}
	return &stepsAhead{lookahead: f.lookahead(f.Context(), func(yield func(framing.Want) bool) {
		for k := first; ; k++ {
			from, to, err := f.extent(k)
			if err != nil || from >= end || !yield(framing.Want{Chunk: k, From: max(off-from, 0), To: min(end, to) - from}) || to >= end {
				return
			}
		}
	}, waveBytes/4), n: -1}, nil
}

// A stepsAhead is a lookahead for reads that may take several steps per chunk.
type stepsAhead struct {
	*lookahead
	n int64 // number of the current chunk
}

// step waits until the chunk that holds decoded byte off is fetched.
func (o *stepsAhead) step(off int64) error {
	if o == nil {
		return nil
	}
	n, err := o.f.find(off)
	if err != nil || n == o.n {
		return err
	}
	o.n = n
	return o.Step()
}

// Close ends the lookahead.
func (o *stepsAhead) Close() {
	if o != nil {
		o.lookahead.Close()
	}
}
