package frame

import (
	"sync"
)

// A BlockCache keeps decoded blocks, so that random reads of a few items do not
// decode the same block repeatedly. It holds the most recently used blocks, up
// to a number of bytes. It is safe for use by several goroutines, and by
// several Readers, which share its capacity.
type BlockCache struct {
	mu    sync.Mutex
	limit int64
	used  int64
	m     map[blockKey]*cachedBlock
	ring  cachedBlock // ring.next is the block that was used last, and ring.prev the next one to evict
	spare *cachedBlock
}

type blockKey struct {
	f     *Reader
	reset int // number of the frame that the Reader had open
	chunk int64
	block int
}

type cachedBlock struct {
	key        blockKey
	data       []byte
	size       int  // number of decoded bytes in the blocks of the chunk
	checked    bool // the chunk was verified
	users      int
	gone       bool // evicted while in use
	prev, next *cachedBlock
}

// cachedOverhead is the approximate number of bytes that a block takes besides its
// data.
const cachedOverhead = 256

// maxCached is the largest number of blocks in one lookup, which keeps them in an array.
const maxCached = 16

// NewBlockCache returns a cache of at most the given number of bytes. Blocks of
// more than half of that are not kept; a cache of 0 bytes keeps none.
func NewBlockCache(bytes int64) *BlockCache {
	c := &BlockCache{limit: bytes, m: map[blockKey]*cachedBlock{}}
	c.ring.prev, c.ring.next = &c.ring, &c.ring
	return c
}

// UseCache makes ReadAt keep the blocks of small reads in c. Without it only
// the last block is kept. b2nd uses the cache for small windows too.
func UseCache(c *BlockCache) Option { return func(cfg *config) { cfg.cache = c } }

// Cache returns the cache that UseCache set, or nil.
func (f *Reader) Cache() *BlockCache { return f.cfg.cache }

// ReadBlocks is like f.ReadBlocks, but uses the cache. It is for a few blocks that
// may be read again. If all blocks of a chunk are requested, or CheckWhole is set,
// it uses only cached blocks of verified chunks. data must not be changed.
func (c *BlockCache) ReadBlocks(f *Reader, n int64, blocks []int, each func(block int, data []byte) error) error {
	if c == nil || len(blocks) == 0 || !c.keeps(f, len(blocks)) {
		return f.ReadBlocks(n, blocks, each)
	}
	var room [maxCached]*cachedBlock
	if hits := c.take(room[:0], f, n, blocks, f.wantsAll(len(blocks)) || f.cfg.whole, 0); hits != nil {
		defer c.giveBack(hits)
		for i, h := range hits {
			if err := each(blocks[i], h.data); err != nil {
				return err
			}
		}
		return nil
	}
	return f.keepBlocks(c, n, blocks, each)
}

// readAt fills p with the bytes of chunk n from offset lo on, and reports whether it
// could. It supports only blocks of the size in the header.
func (c *BlockCache) readAt(f *Reader, p []byte, n, lo int64) bool {
	size := int64(f.h.BlockSize)
	if c == nil || size == 0 || (lo+int64(len(p))-1)/size-lo/size >= maxCached {
		return false
	}
	var numbers [maxCached]int
	blocks := numbers[:0]
	for b := lo / size; b*size < lo+int64(len(p)); b++ {
		blocks = append(blocks, int(b))
	}
	var room [maxCached]*cachedBlock
	hits := c.take(room[:0], f, n, blocks, false, int(size))
	for i, h := range hits {
		at := int64(blocks[i])*size - lo
		copy(p[max(at, 0):], h.data[max(-at, 0):])
	}
	c.giveBack(hits)
	return hits != nil
}

// keeps reports whether the cache would keep the given number of blocks of f.
func (c *BlockCache) keeps(f *Reader, blocks int) bool {
	return blocks <= maxCached && int64(blocks)*int64(f.h.BlockSize) <= c.limit/2
}

// take returns the blocks if all of them are cached, and nil otherwise. The blocks are in
// use until giveBack. If size is not 0, the blocks of their chunk must have that size.
func (c *BlockCache) take(hits []*cachedBlock, f *Reader, n int64, blocks []int, checked bool, size int) []*cachedBlock {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range blocks {
		h := c.m[blockKey{f, f.resets, n, b}]
		if h == nil || checked && !h.checked || size != 0 && h.size != size {
			return nil
		}
		hits = append(hits, h)
	}
	for _, h := range hits {
		h.users++
		if c.ring.next != h {
			h.unlink()
			c.ring.link(h)
		}
	}
	return hits
}

func (c *BlockCache) giveBack(hits []*cachedBlock) {
	if hits == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range hits {
		if h.users--; h.users == 0 && h.gone {
			c.spare = h
		}
	}
}

// put adds a block to the cache. It returns memory for the next block, which may be nil.
func (c *BlockCache) put(k blockKey, data []byte, size int, checked bool) (memory []byte) {
	cost := int64(cap(data)) + cachedOverhead
	c.mu.Lock()
	defer c.mu.Unlock()
	if h := c.m[k]; h != nil { // another goroutine has put it meanwhile
		if checked && !h.checked && h.users == 0 {
			c.used += int64(cap(data) - cap(h.data))
			h.data, data = data, h.data
			h.size, h.checked = size, true
		}
		return data
	}
	if cost > c.limit/2 {
		return data
	}
	for c.used+cost > c.limit {
		old := c.ring.prev
		old.unlink()
		delete(c.m, old.key)
		c.used -= int64(cap(old.data)) + cachedOverhead
		if old.gone = true; old.users == 0 {
			c.spare = old
		}
	}
	h := c.spare
	if c.spare = nil; h == nil {
		h = new(cachedBlock)
	}
	memory = h.data
	*h = cachedBlock{key: k, data: data, size: size, checked: checked}
	c.m[k] = h
	c.ring.link(h)
	c.used += cost
	return memory
}

func (b *cachedBlock) unlink() { b.prev.next, b.next.prev = b.next, b.prev }

// link inserts h after b.
func (b *cachedBlock) link(h *cachedBlock) {
	h.prev, h.next = b, b.next
	b.next.prev, b.next = h, h
}

// Has reports whether all of the given blocks of chunk n are in the cache.
func (c *BlockCache) Has(f *Reader, n int64, blocks []int) bool {
	if c == nil || len(blocks) == 0 || len(blocks) > maxCached {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range blocks {
		if c.m[blockKey{f, f.resets, n, b}] == nil {
			return false
		}
	}
	return true
}
