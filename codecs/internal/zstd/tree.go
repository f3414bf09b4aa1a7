package zstd

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// A tree finds the matches of an input. For each hash of four bytes it has a binary
// search tree of the positions with that hash, ordered by the bytes that follow. The
// root is the last position. To insert a position is to search for it, and the nodes on
// the way are its matches, as in LZMA's bt4 and zstd's btopt. In text a chain finds as
// much only if it is followed for thousands of positions.
//
// The matches of a block are kept, so that it can be parsed more than once.
type tree struct {
	head  []uint32 // the last position of each hash, plus one
	last3 []uint32 // the last position of each hash of three bytes, plus one
	runs  []uint32 // the last position of each hash of a run and the bytes after it, plus one
	sons  []uint32 // for each position, the roots of the lesser and the greater ones, plus one
	shift uint
	depth int
	begun bool // a block of the input was searched
	next  int  // first position that is not inserted

	touched uint32 // makes the compiler keep the reads of touch

	from    int      // start of the block
	matches []span   // for each position of the block, where its matches are in found
	found   []repeat // all matches of the block
}

// A span is a part of found: the matches of a position, each longer than the previous
// one.
type span struct{ begin, end uint32 }

// A repeat is a match. A length of treeLimit+1 means at least as many bytes.
type repeat struct{ length, distance uint32 }

const (
	treeLimit = 512 // the longest match that is compared
	hash3Bits = 17  // bits of a hash in last3
	runKey    = 0x9e3779b185ebca87
	hash3Key  = 0xa2450f << 40 // multiplies three bytes; of 15 factors it had the fewest collisions in 78 files
	runBits   = 12             // bits of a hash in runs
	leastRuns = 4              // the shortest run in runs
	far3      = 1 << 18        // a match of three bytes at a greater distance does not pay
)

// begin begins the block src[from:to], and a new input unless begun is set. Up to depth
// positions are compared with each.
func (t *tree) begin(src []byte, from, to, depth int) {
	if !t.begun {
		t.begun = true
		n := len(src)
		size := hashSize(n)
		t.shift = 32 - size
		t.head = room.Zeros(t.head, 1<<size)
		t.last3 = room.Zeros(t.last3, 1<<hash3Bits)
		t.runs = room.Zeros(t.runs, 1<<runBits)
		t.sons = room.Resize(t.sons, 2*n)
		t.next = 0
	}
	t.depth = depth
	for t.next < from { // insert the blocks that were not weighed
		end := min(from, t.next+maxBlock)
		t.beginBlock(t.next, end)
		t.insertAll(src, end, end)
	}
	t.beginBlock(from, to)
}

// beginBlock forgets the matches of the previous block.
func (t *tree) beginBlock(from, to int) {
	t.from = from
	t.matches = room.Zeros(t.matches, to-from)
	t.found = t.found[:0]
}

// at returns the matches at ip, which end at to or before, and inserts all positions up
// to ip, and the next ones in a batch. At least lastMatch bytes must follow ip.
func (t *tree) at(src []byte, ip, to int) []repeat {
	if long := ip - t.next; long > longSkip {
		t.insertAll(src, t.next+skipFirst, to)
		t.next = ip - skipLast
	}
	if t.next <= ip {
		t.insertAll(src, max(min(ip+batch, to-lastMatch), ip+1), to)
	}
	p := t.matches[ip-t.from]
	return t.found[p.begin:p.end]
}

// Of the positions that a long match covers, only the first and last ones are inserted.
const (
	longSkip  = 384
	skipFirst = 96
	skipLast  = 32
)

// batch is the number of positions that are inserted together.
const batch = 32

// insertAll inserts the positions from next to end.
func (t *tree) insertAll(src []byte, end, to int) {
	for t.next < end {
		stop := min(t.next+batch, end)
		t.touch(src, stop)
		for ; t.next < stop; t.next++ {
			begin := len(t.found)
			ref := t.lastRun(src, t.next, to)
			t.insert(src, t.next, to)
			if ref >= 0 {
				t.addRun(src, t.next, ref, to, begin)
			}
			t.matches[t.next-t.from] = span{uint32(begin), uint32(len(t.found))}
		}
	}
}

// touch reads what the insertion of the positions from next to end reads first. The nodes
// of a large input are spread over several megabytes, so that most reads wait for memory.
// Those of one insertion depend on each other, but those of a batch wait together: level 9
// takes 0.73 to 1.05 of the time for blocks of 1 MiB, 0.92 in the mean of 15 files, and
// BenchmarkTree 0.78. It may go when Go can prefetch memory.
func (t *tree) touch(src []byte, end int) {
	var sum uint32
	for ip := t.next; ip < end; ip++ {
		if at := t.head[mem.Load32(src, ip)*2654435761>>t.shift]; at > 0 {
			sum += t.sons[2*(at-1)] + uint32(src[at-1])
		}
	}
	t.touched = sum
}

// lastRun returns the last position where the run that begins at ip began, and enters ip, or
// returns -1 if no run begins there. In the tree, the positions of all earlier runs of the byte
// are on the way to an equal one, more than are compared.
func (t *tree) lastRun(src []byte, ip, to int) int {
	word := mem.Load32(src, ip)
	if word != bits.RotateLeft32(word, 8) || ip > 0 && src[ip-1] == byte(word) {
		return -1
	}
	n := leastRuns + lz77.CommonPrefix(src, ip+leastRuns, ip+leastRuns-1, to)
	if ip+n > len(src)-8 {
		return -1
	}
	const kept = 5 // bytes that count: the last one of the run, and those after it
	after := mem.Load64(src, ip+n-1) << (64 - 8*kept)
	p := &t.runs[(after+uint64(n))*runKey>>(64-runBits)]
	last := int(*p) - 1
	*p = uint32(ip + 1)
	return last
}

// addRun appends the match with the run at ref if it is longer than the other matches at ip,
// those from begin on.
func (t *tree) addRun(src []byte, ip, ref, to, begin int) {
	best := leastMatch - 1
	if n := len(t.found); n > begin {
		best = int(t.found[n-1].length)
	}
	if n := lz77.CommonPrefix(src, ip, ref, min(to, ip+treeLimit+1)); n > best {
		t.found = append(t.found, repeat{uint32(n), uint32(ip - ref)})
	}
}

// insert inserts ip and appends its matches to found.
func (t *tree) insert(src []byte, ip, to int) {
	word := mem.Load32(src, ip)
	best := leastMatch - 1
	last := &t.last3[uint64(word)*hash3Key>>(64-hash3Bits)]
	if ref := int(*last) - 1; ref >= 0 && ip-ref < far3 && (mem.Load32(src, ref)^word)<<8 == 0 {
		best = lz77.CommonPrefix(src, ip, ref, min(to, ip+treeLimit+1))
		t.found = append(t.found, repeat{uint32(best), uint32(ip - ref)})
	}
	*last = uint32(ip + 1)
	head := &t.head[word*2654435761>>t.shift]
	at := *head
	*head = uint32(ip + 1)
	lesser, greater := &t.sons[2*ip], &t.sons[2*ip+1] // where the next lesser and greater nodes are linked
	limit := min(len(src), ip+treeLimit+1)
	var ofLesser, ofGreater int // bytes that all nodes in the lesser, or greater, subtree share with ip
	best = max(best, lz77.MinMatch-1)
	for depth := t.depth; depth > 0 && at > 0; depth-- {
		ref := int(at - 1)
		sons := t.sons[2*ref : 2*ref+2]
		n := min(ofLesser, ofGreater)
		n += lz77.CommonPrefix(src, ip+n, ref+n, limit)
		if l := min(n, to-ip); l > best {
			best = l
			t.found = append(t.found, repeat{uint32(l), uint32(ip - ref)})
		}
		if ip+n >= limit { // ip replaces a node that is equal up to the limit
			*lesser, *greater = sons[0], sons[1]
			return
		}
		if mem.Load8(src, ref+n) < mem.Load8(src, ip+n) {
			*lesser, lesser, ofLesser, at = at, &sons[1], n, sons[1]
		} else {
			*greater, greater, ofGreater, at = at, &sons[0], n, sons[0]
		}
	}
	*lesser, *greater = 0, 0
}
