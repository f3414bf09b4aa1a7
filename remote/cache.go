package remote

import "sync"

// pageSize is the number of bytes of a page, except the last one of an object.
const pageSize = 8 << 10

// A Cache keeps the most recently used pages of 8 KiB of objects, up to a
// number of bytes. It is safe for use by several goroutines and several
// objects.
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

// A page is valid once ready is closed, unless err is set, and in the cache
// while it is linked. Its data then do not change.
type page struct {
	key        pageKey
	data       []byte
	ready      chan struct{}
	err        error
	prev, next *page
}

// pageCost is the approximate number of bytes that a page takes besides its data.
const pageCost = 256

// NewCache returns a cache of at most the given number of bytes.
func NewCache(bytes int64) *Cache {
	c := &Cache{limit: bytes, pages: map[pageKey]*page{}}
	c.ring.prev, c.ring.next = &c.ring, &c.ring
	return c
}

// take returns pages [from, to) of o. Pages that are neither cached nor requested are
// new, and returned in mine: the caller must read them and call put or fail.
func (c *Cache) take(o *Object, from, to int64, all, mine []*page) (_, _ []*page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n := from; n < to; n++ {
		k := pageKey{o, n}
		p := c.pages[k]
		switch {
		case p == nil:
			p = &page{key: k, ready: make(chan struct{})}
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

// put makes a page available.
func (c *Cache) put(p *page, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.data = data
	close(p.ready)
	if c.pages[p.key] != p {
		return // its object was closed
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
