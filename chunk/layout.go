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

	stated int     // the header's block size, if it differs from BlockSize and may be the true one
	starts []byte  // offsets of the blocks, four bytes each
	value  []byte  // the value that a special chunk repeats
	ends   []int32 // offsets after the blocks; nil unless ParseLayout made the Layout
}

// LayoutLen returns how many bytes of the chunk ParseLayout needs, counted from the
// chunk's start. It may be a few more than needed, because the length of a dictionary is
// not known in advance, but is never more than h.CBytes.
func (h *Header) LayoutLen() int {
	switch {
	case h.Special() == Repeat:
		return h.CBytes
	case !h.regular():
		return h.Len()
	}
	blocks := h.BlockSize
	if !h.VLBlocks() {
		// If C-Blosc2 has stated the wrong block size, the number of blocks follows from
		// another one. Allow for both.
		blocks = max(numBlocks(h.NBytes, h.BlockSize), numBlocks(h.NBytes, h.cutSize()))
	}
	n := int64(h.Len()) + 4*int64(blocks)
	if h.HasDict() {
		n += 4 + MaxDict
	}
	return int(min(n, int64(h.CBytes)))
}

// ParseLayout reads the layout of a chunk. head is the whole chunk, or its first bytes,
// at least Header.LayoutLen of them. The Layout aliases head, which must not be changed
// while the Layout is in use. The errors are those of ParseHeader.
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

// parse does all that ParseLayout does, except that it does not find the ends of blocks,
// which a decoder of a whole chunk does not need. It does not allocate.
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

// parseStarts reads the offsets of the blocks and checks them, and finds the dictionary.
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

// takeStated switches to the block size that the header states, so that decoding can be
// tried again. It returns false if there is no such size or it cannot be the true one.
func (l *Layout) takeStated() bool {
	if l.stated == 0 {
		return false
	}
	l.setBlockSize(l.stated)
	l.stated, l.Ref = 0, nil
	return true
}

// repairBlockSize determines the true size of the blocks. C-Blosc2 3.0.0 to 3.3.5 may
// state a block size that is not a multiple of the typesize. The true size is then the
// next lower multiple, or one byte if the chunk is smaller than an item
// (docs/format/chunk.md T1). No known writer makes blocks of the stated size in that
// case, so the true size is tried first. The number of block starts before the first
// block shows which of the two was used, unless it is the same for both.
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

// cutSize returns the block size that C-Blosc2 uses if the header states one that is not
// a multiple of the typesize.
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

// findEnds records where each block ends: at the start of the block after it in the
// chunk. That need not be the block with the next number, because several threads may
// have stored blocks in any order.
func (l *Layout) findEnds() {
	sorted := make([]int, l.NumBlocks, l.NumBlocks+1)
	for i := range sorted {
		sorted[i] = l.start(i)
	}
	slices.Sort(sorted)
	sorted = append(sorted, l.Header.CBytes)
	l.ends = make([]int32, l.NumBlocks)
	for i := range l.ends {
		next, _ := slices.BinarySearch(sorted, l.start(i)+1)
		l.ends[i] = int32(sorted[next])
	}
}

// Extent returns the offset and the length of block i in the chunk. i counts from 0 and
// must be less than NumBlocks. The Layout must come from ParseLayout. Blocks of special
// chunks have no bytes: the length is 0.
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

// BlockLen returns the number of decoded bytes in block i, or -1 for VL-blocks, each of
// which holds its length: see DecodedLen.
func (l *Layout) BlockLen(i int) int {
	if l.Header.VLBlocks() {
		return -1
	}
	return min(l.BlockSize, l.Header.NBytes-i*l.BlockSize)
}

// DecodedLen returns the number of decoded bytes in block i. block holds the bytes of its
// Extent, or at least the first four, which are the length of a variable-length block.
// The result never exceeds the decoded size of the chunk.
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

// NeedsRef reports whether decoding a block requires block 0, because the delta filter
// refers to it.
func (l *Layout) NeedsRef() bool {
	return l.Header.regular() && l.Header.Filters.Has(blosc2.FilterDelta)
}

// full reports whether block i is as long as the other blocks. Only such blocks may be
// split.
func (l *Layout) full(i int) bool { return l.BlockLen(i) == l.BlockSize }

// numBlocks returns the number of blocks of size bytes for n bytes.
func numBlocks(n, size int) int {
	if n == 0 {
		return 0
	}
	return (n-1)/size + 1
}

// roundDown returns the largest multiple of t that is not greater than size, or size if
// that is less than t.
func roundDown(size, t int) int {
	if size > t {
		size -= size % t
	}
	return size
}
