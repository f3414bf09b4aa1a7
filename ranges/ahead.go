package ranges

import (
	"cmp"
	"context"
	"io"
	"slices"
	"sync"
)

// An Ahead reads a source, and holds bytes of it that were fetched before they
// are read. It is safe for use by several goroutines.
type Ahead struct {
	src ReaderAt

	mu     sync.RWMutex
	pieces []*piece // by offset
	far    []*piece // of each piece and those before it the one that ends last
	kept   []*Held  // by Keep, the oldest first
	bytes  int64    // of kept
}

// keepMax is how many bytes Keep holds.
const keepMax = 1 << 20

// A piece holds some bytes of the source.
type piece struct {
	Range
	users int
}

// roomy is the size from which on the memory of a piece is used again: that of new
// pages costs more than the copy of what is put there.
const roomy = Most / 4

// rooms are for pieces: *[Most]byte.
var rooms = sync.Pool{New: func() any { return new([Most]byte) }}

func makePiece(n int64) []byte {
	if n < roomy || n > Most {
		return make([]byte, n)
	}
	return rooms.Get().(*[Most]byte)[:n]
}

// drop ends the use of a piece's memory.
func (p *piece) drop() {
	if cap(p.Data) == Most {
		rooms.Put((*[Most]byte)(p.Data[:Most]))
	}
	p.Data = nil
}

func (p *piece) end() int64 { return p.Off + int64(len(p.Data)) }

// NewAhead returns an Ahead that holds nothing yet.
func NewAhead(src ReaderAt) *Ahead { return &Ahead{src: src} }

// Cost returns what the requests of the source cost.
func (a *Ahead) Cost() Cost { return CostOf(a.src) }

// A Held is what one Fetch holds. A nil one holds nothing.
type Held struct {
	a      *Ahead
	pieces []*piece
}

// Fetch reads all spans at once and holds their bytes until Release. Spans that
// are held already are not read again, and neighbours are read as one: see Cost.Merge.
// It changes spans.
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

// missing makes h hold the spans that are there, and returns the others.
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

// find returns the piece that has the most bytes from off on, nil if none has
// any. mu is held.
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

// sort puts the pieces in order. mu is held.
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

// ReadAt reads bytes that are held, and all others from the source.
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

// Release drops what h alone holds.
func (h *Held) Release() {
	if h == nil || len(h.pieces) == 0 {
		return
	}
	h.a.mu.Lock()
	defer h.a.mu.Unlock()
	h.release()
}

// release is Release with mu held.
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

// Join makes h hold what other holds as well, which need not be released then.
func (h *Held) Join(other *Held) {
	h.pieces = append(h.pieces, other.pieces...)
	other.pieces = nil
}

// Keep makes the Ahead hold on to what h holds, also after Release. It drops the
// oldest where that is more than 1 MiB. It is for small pieces that are worth
// much: the heads of chunks.
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
