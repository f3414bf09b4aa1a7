package chunk

import (
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
)

// A Layout holds the offsets of a chunk's blocks, so that a single block can be
// fetched and decoded. It is read-only after ParseLayout and setting Ref, and
// may then be shared by goroutines.
type Layout struct {
	Header    Header
	BlockSize int    // decoded bytes of every block but the last; 0 with VL-blocks
	NumBlocks int    // 0 in an empty chunk
	Dict      []byte // the dictionary, nil for none

	// Ref is the decoded block 0. If NeedsRef is true, the caller must set it
	// before decoding any other block.
	Ref []byte

	stated int     // the header's block size, if it differs and may be valid
	starts []byte  // offsets of the blocks, four bytes each
	value  []byte  // of a chunk of one repeated value
	ends   []int32 // offsets after the blocks, if ParseLayout made this
}

// LayoutLen returns the number of bytes from a chunk's start that ParseLayout needs, or
// a few more, because the length of a dictionary is not known in advance. It is never
// more than h.CBytes.
func (h *Header) LayoutLen() int {
	switch {
	case h.Special() == Repeat:
		return h.CBytes
	case !h.regular():
		return h.Len()
	}
	blocks := h.BlockSize
	if !h.VLBlocks() {
		// The wrong size that C-Blosc2 states may result in fewer blocks.
		blocks = max(numBlocks(h.NBytes, h.BlockSize), numBlocks(h.NBytes, h.cutSize()))
	}
	n := int64(h.Len()) + 4*int64(blocks)
	if h.HasDict() {
		n += 4 + MaxDict
	}
	return int(min(n, int64(h.CBytes)))
}

// ParseLayout reads the layout from the first bytes of a chunk, at least
// Header.LayoutLen of them, or the whole chunk. The result aliases head, which
// must not be changed while the Layout is in use. Errors are those of
// ParseHeader.
func ParseLayout(head []byte) (*Layout, error) {
	l := new(Layout)
	if err := l.parse(head); err != nil {
		return nil, err
	}
	if l.starts != nil {
		l.findEnds()
	}
	return l, nil
}

// parse does all that ParseLayout does except finding the ends of blocks, which a
// decoder of a whole chunk does not need. It does not allocate.
func (l *Layout) parse(c []byte) error {
	*l = Layout{}
	h := &l.Header
	if err := h.parse(c); err != nil {
		return err
	}
	switch {
	case h.NBytes == 0:
		return nil
	case h.Special() == Repeat:
		if len(c) < h.CBytes {
			return fault(h.Len(), io.ErrUnexpectedEOF, "truncated repeated value: has %[2]d of %[1]d bytes", h.CBytes-h.Len(), len(c)-h.Len())
		}
		l.value = c[h.Len():h.CBytes]
		fallthrough
	case !h.regular():
		l.setBlockSize(h.BlockSize)
		return nil
	case h.VLBlocks():
		l.NumBlocks = h.BlockSize
	default:
		l.repairBlockSize(c)
	}
	return l.parseStarts(c)
}

// parseStarts finds the offsets of the blocks and the dictionary, and checks
// the offsets.
func (l *Layout) parseStarts(c []byte) error {
	h := &l.Header
	begin := h.Len()
	if l.NumBlocks > (h.CBytes-begin)/4 {
		return fault(8, blosc2.ErrCorrupt, "%d blocks do not fit into a chunk of %d bytes", l.NumBlocks, h.CBytes)
	}
	end := begin + 4*l.NumBlocks
	if end > len(c) {
		return fault(begin, io.ErrUnexpectedEOF, "truncated starts of %d blocks: only %d bytes", l.NumBlocks, len(c)-begin)
	}
	l.starts = c[begin:end]
	if h.HasDict() {
		var err error
		if l.Dict, err = l.parseDict(c, end); err != nil {
			return err
		}
		end += 4 + len(l.Dict)
	}
	for i := range l.NumBlocks {
		s := l.start(i)
		if s == -1 {
			return blockFault(i, begin+4*i, blosc2.ErrCorrupt, "has no data: start -1 marks a lost chunk")
		}
		if s < end || s > h.CBytes-4 {
			return blockFault(i, begin+4*i, blosc2.ErrCorrupt, "start %d: must be %d to %d", s, end, h.CBytes-4)
		}
		if h.VLBlocks() && i > 0 && s <= l.start(i-1) {
			return blockFault(i, begin+4*i, blosc2.ErrCorrupt, "start %d: must be after that of the previous block", s)
		}
	}
	return nil
}

func (l *Layout) start(i int) int { return i32(l.starts[4*i:]) }

func (l *Layout) setBlockSize(size int) {
	l.BlockSize = min(size, l.Header.NBytes)
	l.NumBlocks = numBlocks(l.Header.NBytes, l.BlockSize)
}

// takeStated sets the block size that the header states, if that is another one and may
// be valid, so that decoding can be tried again.
func (l *Layout) takeStated() bool {
	if l.stated == 0 {
		return false
	}
	l.setBlockSize(l.stated)
	l.stated, l.Ref = 0, nil
	return true
}

// repairBlockSize finds the size that the blocks really have. C-Blosc2 3.0.0 to
// 3.3.5 may state a size that is not a multiple of the typesize while the
// blocks have the multiple below, or one byte if the chunk is smaller than an
// item (docs/format/chunk.md T1). No known writer uses another size, so that
// size is tried first; the number of block starts before the first block shows
// which was used, unless both sizes result in the same number.
func (l *Layout) repairBlockSize(c []byte) {
	h := &l.Header
	stated, rounded := min(h.BlockSize, h.NBytes), h.cutSize()
	l.setBlockSize(rounded)
	if rounded == stated {
		return
	}
	l.stated = stated
	if !l.startsFit(c) {
		l.setBlockSize(stated)
		if !l.startsFit(c) {
			l.setBlockSize(rounded)
		} else {
			l.stated = 0
		}
	} else if numBlocks(h.NBytes, stated) != l.NumBlocks {
		l.stated = 0
	}
}

// cutSize returns the block size that C-Blosc2 uses if it states another.
func (h *Header) cutSize() int {
	if h.NBytes < h.TypeSize && h.Extended() {
		return 1
	}
	return roundDown(min(h.BlockSize, h.NBytes), h.TypeSize)
}

// startsFit reports whether the first block begins right after the starts of
// NumBlocks blocks and the dictionary.
func (l *Layout) startsFit(c []byte) bool {
	h := &l.Header
	begin := h.Len()
	if l.NumBlocks > (min(len(c), h.CBytes)-begin)/4 {
		return false
	}
	end := begin + 4*l.NumBlocks
	first := h.CBytes
	for i := begin; i < end; i += 4 {
		first = min(first, i32(c[i:]))
	}
	if h.HasDict() {
		dict, err := l.parseDict(c, end)
		if err != nil {
			return false
		}
		end += 4 + len(dict)
	}
	return first == end
}

// findEnds notes where each block ends: at the start of the block that follows
// it in the chunk. Several threads may have stored blocks in any order.
func (l *Layout) findEnds() {
	l.ends = make([]int32, l.NumBlocks)
	order := make([]int32, l.NumBlocks)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return l.start(int(a)) - l.start(int(b)) })
	end := l.Header.CBytes
	for k := len(order) - 1; k >= 0; k-- {
		i := int(order[k])
		l.ends[i] = int32(end)
		if k > 0 && l.start(int(order[k-1])) < l.start(i) {
			end = l.start(i)
		}
	}
}

// Extent returns the offset and the length of block i in the chunk. Blocks of
// special chunks have none. It is for layouts that ParseLayout made; i counts
// from 0 and must be less than NumBlocks.
func (l *Layout) Extent(i int) (off, n int) {
	h := &l.Header
	switch {
	case h.Memcpyed():
		return h.Len() + i*l.BlockSize, l.BlockLen(i)
	case h.Special() != NotSpecial:
		return 0, 0
	}
	return l.start(i), int(l.ends[i]) - l.start(i)
}

// BlockLen returns the number of decoded bytes of block i, or -1 for VL-blocks, which
// hold it themselves: see DecodedLen.
func (l *Layout) BlockLen(i int) int {
	if l.Header.VLBlocks() {
		return -1
	}
	return min(l.BlockSize, l.Header.NBytes-i*l.BlockSize)
}

// DecodedLen returns the number of decoded bytes of block i, given the bytes of
// its Extent, or at least the first four, which hold the length of a
// variable-length block. It never exceeds that of the chunk.
func (l *Layout) DecodedLen(i int, block []byte) (int, error) {
	if !l.Header.VLBlocks() {
		return l.BlockLen(i), nil
	}
	n, err := vlBlockLen(block)
	if err == nil && n > l.Header.NBytes {
		err = blockFault(i, l.start(i), blosc2.ErrCorrupt, "decodes to %d bytes, more than the chunk's %d", n, l.Header.NBytes)
	}
	return n, err
}

// NeedsRef reports whether blocks can be decoded only with block 0 at hand: the
// delta filter refers to it.
func (l *Layout) NeedsRef() bool {
	return l.Header.regular() && l.Header.Filters.Has(blosc2.FilterDelta)
}

// full reports whether block i is as long as the others, so that it may be
// split.
func (l *Layout) full(i int) bool { return l.BlockLen(i) == l.BlockSize }

// numBlocks returns the number of blocks of size bytes that n bytes make.
func numBlocks(n, size int) int {
	if n == 0 {
		return 0
	}
	return (n-1)/size + 1
}

// roundDown returns the largest multiple of t that is not above size, or size
// if that is smaller than t.
func roundDown(size, t int) int {
	if size > t {
		size -= size % t
	}
	return size
}
