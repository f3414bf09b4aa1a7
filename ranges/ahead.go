package ranges

import (
	"cmp"
	"context"
	"io"
	"slices"
	"sync"
)

// An Ahead reads a source, and holds bytes that were fetched in advance. It is
// safe for use by several goroutines.
type Ahead struct {
	src ReaderAt

	mu     sync.RWMutex
	pieces []*piece // the pieces, sorted by offset
	far    []*piece // for each piece in pieces, the one with the largest end among those up to it
	kept   []*Held  // the pieces that Keep holds, the oldest first
	bytes  int64    // bytes that kept holds
}

// keepMax is the largest number of bytes that Keep holds.
const keepMax = 1 << 20

// A piece holds some bytes of the source.
type piece struct {
	Range
	users int
}

// roomy is the smallest size of a piece whose memory is reused: new pages cost
// more than the copy.
const roomy = Most / 4

// rooms holds memory for pieces, of type *[Most]byte.
var rooms = sync.Pool{New: func() any { return new([Most]byte) }}

func makePiece(n int64) []byte {
	if n < roomy || n > Most {
		return make([]byte, n)
	}
	return rooms.Get().(*[Most]byte)[:n]
}

// drop releases a piece's memory.
func (p *piece) drop() {
	if cap(p.Data) == Most {
		rooms.Put((*[Most]byte)(p.Data[:Most]))
	}
	p.Data = nil
}

func (p *piece) end() int64 { return p.Off + int64(len(p.Data)) }

// NewAhead returns an Ahead that holds nothing yet.
func NewAhead(src ReaderAt) *Ahead { return &Ahead{src: src} }

// Cost returns the cost of the source's requests.
func (a *Ahead) Cost() Cost { return CostOf(a.src) }

// A Held represents the bytes that a Fetch holds. A nil Held holds nothing.
type Held struct {
	a      *Ahead
	pieces []*piece
}

// Fetch reads all spans concurrently and holds their bytes until Release. It does
// not read spans that are held already, and merges adjacent ones: see Cost.Merge.
// It modifies spans.
func (a *Ahead) Fetch(ctx context.Context, spans ...Span) (*Held, error) {
	h := &Held{a: a}
	spans = a.missing(h, spans)
	if len(spans) == 0 {
		return h, nil
	}
	spans = a.Cost().Merge(spans)
	rs := make([]Range, len(spans))
	for i, s := range spans {
		rs[i] = Range{s.Off, makePiece(s.Len)}
	}
	if err := a.src.ReadRanges(ctx, rs); err != nil {
		h.Release()
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range rs {
		p := &piece{r, 1}
		h.pieces = append(h.pieces, p)
		a.pieces = append(a.pieces, p)
	}
	a.sort()
	return h, nil
}

// missing adds to h the spans that are held already, and returns the rest.
func (a *Ahead) missing(h *Held, spans []Span) []Span {
	a.mu.Lock()
	defer a.mu.Unlock()
	rest := spans[:0]
	for _, s := range spans {
		p := a.find(s.Off)
		switch {
		case s.Len <= 0:
		case p == nil || p.end() < s.End():
			rest = append(rest, s)
		default:
			p.users++
			h.pieces = append(h.pieces, p)
		}
	}
	return rest
}

// find returns the piece that has the most bytes from off, or nil. mu must be held.
func (a *Ahead) find(off int64) *piece {
	i, _ := slices.BinarySearchFunc(a.pieces, off, func(p *piece, off int64) int {
		if p.Off <= off {
			return -1
		}
		return 1
	})
	if i == 0 || a.far[i-1].end() <= off {
		return nil
	}
	return a.far[i-1]
}

// sort sorts the pieces. mu must be held.
func (a *Ahead) sort() {
	slices.SortFunc(a.pieces, func(a, b *piece) int { return cmp.Compare(a.Off, b.Off) })
	a.far = append(a.far[:0], a.pieces...)
	for i := 1; i < len(a.far); i++ {
		if a.far[i-1].end() > a.far[i].end() {
			a.far[i] = a.far[i-1]
		}
	}
	clear(a.far[len(a.far):cap(a.far)])
}

// ReadAt implements io.ReaderAt. It reads bytes that are not held from the source.
func (a *Ahead) ReadAt(p []byte, off int64) (n int, err error) {
	a.mu.RLock()
	for n < len(p) {
		piece := a.find(off + int64(n))
		if piece == nil {
			break
		}
		n += copy(p[n:], piece.Data[off+int64(n)-piece.Off:])
	}
	a.mu.RUnlock()
	if n == len(p) {
		return n, nil
	}
	k, err := a.src.ReadAt(p[n:], off+int64(n))
	if n += k; n > 0 && n == len(p) && err == io.EOF {
		err = nil
	}
	return n, err
}

// ReadRanges implements ReaderAt. It reads all bytes that are not held from the source,
// in one call.
func (a *Ahead) ReadRanges(ctx context.Context, rs []Range) error {
	rest := make([]Range, 0, len(rs))
	a.mu.RLock()
	for _, r := range rs {
		if p := a.find(r.Off); p != nil && p.end() >= r.Off+int64(len(r.Data)) {
			copy(r.Data, p.Data[r.Off-p.Off:])
		} else if len(r.Data) > 0 {
			rest = append(rest, r)
		}
	}
	a.mu.RUnlock()
	if len(rest) == 0 {
		return nil
	}
	return a.src.ReadRanges(ctx, rest)
}

// Release drops the bytes that only h holds.
func (h *Held) Release() {
	if h == nil || len(h.pieces) == 0 {
		return
	}
	h.a.mu.Lock()
	defer h.a.mu.Unlock()
	h.release()
}

// release is Release, called with mu held.
func (h *Held) release() {
	gone := false
	for _, p := range h.pieces {
		p.users--
		gone = gone || p.users == 0
	}
	h.pieces = nil
	if !gone {
		return
	}
	h.a.pieces = slices.DeleteFunc(h.a.pieces, func(p *piece) bool {
		if p.users > 0 {
			return false
		}
		p.drop()
		return true
	})
	h.a.sort()
}

// Join adds the bytes that other holds to h. other need not be released afterwards.
func (h *Held) Join(other *Held) {
	h.pieces = append(h.pieces, other.pieces...)
	other.pieces = nil
}

// Keep makes the Ahead hold the bytes of h even after h is released. It is for small
// pieces that are read often, such as the heads of chunks. When Keep holds more than 1
// MiB, it drops the oldest pieces.
func (h *Held) Keep() {
	a := h.a
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(h.pieces) == 0 || h.size() > keepMax {
		return
	}
	for _, p := range h.pieces {
		p.users++
	}
	a.kept = append(a.kept, &Held{a, slices.Clone(h.pieces)})
	a.bytes += h.size()
	n := 0
	for ; a.bytes > keepMax; n++ {
		a.bytes -= a.kept[n].size()
		a.kept[n].release()
	}
	a.kept = slices.Delete(a.kept, 0, n)
}

func (h *Held) size() (n int64) {
	for _, p := range h.pieces {
		n += int64(len(p.Data))
	}
	return n
}
