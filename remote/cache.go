package remote

import (
	"sync"

	"github.com/seed03b80dae/blosc2/ranges"
)

// pageSize is the number of bytes of a page, which ReadAt requests whole. pageCost is a
// 32nd of it.
const pageSize = 8 << 10

// A Cache keeps the most recently used pages of 8 KiB of objects, or the parts of them
// that were read, up to a number of bytes. It is safe for concurrent use, and may hold
// pages of several objects.
type Cache struct {
	limit int64

	mu    sync.Mutex
	used  int64
	pages map[pageKey]*page
	ring  page // next is the page used last, prev the one to evict
}

type pageKey struct {
	o *Object
	n int64
}

// A page is valid once ready is closed, unless err is set. It is in the cache while it
// is in the list. The data of a valid page are the bytes [from, to) of the object, and
// do not change.
type page struct {
	key        pageKey
	from, to   int64
	start      []byte // beginning of the data, known before the page is read
	data       []byte
	ready      chan struct{}
	err        error
	prev, next *page
}

// pageCost is the approximate number of bytes that a page takes besides its data: its
// struct, an entry of a map and one of a list.
const pageCost = 256

// NewCache returns a cache of at most the given number of bytes.
func NewCache(bytes int64) *Cache {
	c := &Cache{limit: bytes, pages: map[pageKey]*page{}}
	c.ring.prev, c.ring.next = &c.ring, &c.ring
	return c
}

// take returns the pages that hold bytes [from, to) of o. A page that is neither cached
// nor requested, or lacks some of these bytes, is replaced by a new one. The new pages
// are also returned in mine: the caller must read them and call put or fail. Pages
// begin and end at multiples of unit.
func (c *Cache) take(o *Object, from, to, unit int64, all, mine []*page) (_, _ []*page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for end := from; from < to; from = end {
		k := pageKey{o, from / pageSize}
		end = min((k.n+1)*pageSize, to)
		p := c.pages[k]
		switch {
		case p == nil || from < p.from || p.to < end:
			wider := &page{key: k, from: from &^ (unit - 1), to: min((end+unit-1)&^(unit-1), o.size), ready: make(chan struct{})}
			if p != nil {
				if p.prev != nil {
					if p.from <= wider.from {
						wider.start = p.data
					}
					c.drop(p)
				}
				wider.from, wider.to = min(wider.from, p.from), max(wider.to, p.to)
			}
			p = wider
			c.pages[k] = p
			mine = append(mine, p)
		case p.prev != nil && c.ring.next != p:
			p.unlink()
			c.ring.link(p)
		}
		all = append(all, p)
	}
	return all, mine
}

// put makes a page that was read available to all that wait for it.
func (c *Cache) put(p *page, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.data, p.start = data, nil
	close(p.ready)
	if c.pages[p.key] != p {
		return // the object was closed, or a wider page replaced this one
	}
	c.ring.link(p)
	c.used += p.cost()
	for c.used > c.limit {
		c.drop(c.ring.prev)
	}
}

// fail drops a page that could not be read.
func (c *Cache) fail(p *page, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.err = err
	close(p.ready)
	if c.pages[p.key] == p {
		delete(c.pages, p.key)
	}
}

func (c *Cache) drop(p *page) {
	p.unlink()
	delete(c.pages, p.key)
	c.used -= p.cost()
}

// forget drops all pages of an object.
func (c *Cache) forget(o *Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, p := range c.pages {
		switch {
		case k.o != o:
		case p.prev != nil:
			c.drop(p)
		default:
			delete(c.pages, k)
		}
	}
}

// span returns the range of bytes to read for the page.
func (p *page) span() ranges.Span {
	from := p.from + int64(len(p.start))
	return ranges.Span{Off: from, Len: p.to - from}
}

func (p *page) cost() int64 { return int64(len(p.data)) + pageCost }

func (p *page) unlink() {
	p.prev.next, p.next.prev = p.next, p.prev
	p.prev, p.next = nil, nil
}

// link puts q right after p.
func (p *page) link(q *page) {
	q.prev, q.next = p, p.next
	p.next.prev, p.next = q, q
}
