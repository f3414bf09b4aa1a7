package serve

import (
	"container/list"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/zarr"
)

// A handle is an open file or folder with the arrays in it. It is closed when no
// request uses it and the cache does not hold it.
type handle struct {
	path string
	size int64
	mod  time.Time
	file *shared
	// Exactly one of array, store and members is set.
	array   *dataset
	store   *store
	members *members

	users int // number of users: requests, and the cache
}

// tag returns a text that differs after the file has changed. For a Zarr folder it
// depends only on the metadata; chunks may change without it.
func (h *handle) tag() string { return fmt.Sprintf("%x-%x", h.size, h.mod.UnixNano()) }

// A shared file is closed by the last of its handles.
type shared struct {
	io.Closer
	at    io.ReaderAt
	users int
}

// maxOpen is the number of files that the cache holds open.
const maxOpen = 64

// A cache holds the handles used last. It is safe for use by several goroutines.
type cache struct {
	mu      sync.Mutex
	entries map[string]*list.Element // values are of type *handle; the front is the handle used last
	order   list.List
	blocks  *frame.BlockCache
	plain   func(f File, name, member string) (*Plain, error)
}

func newCache(plain func(f File, name, member string) (*Plain, error)) *cache {
	return &cache{entries: map[string]*list.Element{}, blocks: frame.NewBlockCache(16 << 20), plain: plain}
}

// open returns the handle of a spot, as the file is now, and the function that
// releases it.
func (c *cache) open(at *spot) (*handle, func(), error) {
	if at.place == nil || at.info.IsDir() && !at.whole {
		return nil, nil, errMissing
	}
	id := at.place.Name + "/" + at.name
	size, mod := stamp(at)
	c.mu.Lock()
	var old *handle
	if e, ok := c.entries[id]; ok {
		old = e.Value.(*handle)
		old.users++
		if old.size == size && old.mod.Equal(mod) {
			c.order.MoveToFront(e)
			c.mu.Unlock()
			return old, c.releaser(old), nil
		}
	}
	c.mu.Unlock()
	h, err := c.renew(at, old, size, mod)
	if old != nil {
		c.releaser(old)()
	}
	if err != nil {
		return nil, nil, err
	}
	h.path, h.size, h.mod, h.users = id, size, mod, 2
	c.keep(id, h)
	return h, c.releaser(h), nil
}

// stamp returns the size and the modification time, which change with the file.
func stamp(at *spot) (int64, time.Time) {
	size, mod := at.info.Size(), at.info.ModTime()
	if at.whole { // the index file changes whenever a chunk does
		for _, name := range []string{"/chunks.b2frame", "/embed.b2e", "/" + zarr.MetaV3, "/" + zarr.MetaV2} {
			if info, err := at.place.root.Stat(at.name + name); err == nil {
				return info.Size(), info.ModTime()
			}
		}
	}
	return size, mod
}

// renew opens a file again after it changed. If the file only grew, renew refreshes the
// frame instead. A frame that is being written may look damaged, and is therefore
// opened a second time after an error.
func (c *cache) renew(at *spot, old *handle, size int64, mod time.Time) (h *handle, err error) {
	for try := range 2 {
		if try > 0 {
			time.Sleep(10 * time.Millisecond)
		}
		if h, err = c.refresh(at, old, size); err == nil {
			return h, nil
		}
		if h, err = c.load(at); err == nil || old == nil {
			return h, err
		}
	}
	return nil, err
}

var errNotSame = errors.New("not the same file")

// refresh returns a handle of the current state of the file that old holds open. It
// returns errNotSame if the spot may have another file now, or one that cannot be
// refreshed.
func (c *cache) refresh(at *spot, old *handle, size int64) (*handle, error) {
	if old == nil || old.array == nil || old.file == nil || old.array.frame == nil || size < old.size {
		return nil, errNotSame
	}
	f, ok := old.file.at.(*os.File)
	if !ok {
		return nil, errNotSame
	}
	if info, err := f.Stat(); err != nil || !os.SameFile(info, at.info) {
		return nil, errNotSame
	}
	fr, err := old.array.frame.Refresh(size)
	if err != nil {
		return nil, err
	}
	d, err := c.dataset(fr)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	old.file.users++
	return &handle{file: old.file, array: d}, nil
}

// etag returns tag as the ETag of an answer, or "" if answers may differ under the same
// tag.
func (h *handle) etag(more string) string {
	if h.zarr() {
		return ""
	}
	return `"` + h.tag() + more + `"`
}

// zarr reports whether the handle is that of a Zarr folder.
func (h *handle) zarr() bool {
	return h.array != nil && h.array.kind == kindZarr || h.members != nil && h.members.far
}

// load opens a file or a folder.
func (c *cache) load(at *spot) (*handle, error) {
	opts := c.options(at.place)
	switch {
	case at.place.zarr != nil:
		return at.place.zarr.load()
	case at.whole:
		return c.folder(folder{at.place.root, at.name}, opts)
	}
	f, info, err := at.open(at.name)
	if err != nil {
		return nil, err
	}
	h, err := c.handleOf(f, info.Size(), f, opts)
	if err == nil {
		return h, nil
	}
	f.Close()
	if status, _ := statusOf(err); status == http.StatusUnsupportedMediaType && c.plain != nil {
		p, errPlain := c.loadPlain(at)
		if errPlain == nil {
			return p, nil
		}
		if status, _ := statusOf(errPlain); status != http.StatusUnsupportedMediaType {
			return nil, errPlain
		}
	}
	return nil, err
}

// keep puts a handle into the cache. It replaces an older handle of the same file.
func (c *cache) keep(id string, h *handle) {
	c.mu.Lock()
	var drop []*handle
	if e, ok := c.entries[id]; ok {
		drop = append(drop, e.Value.(*handle))
		c.order.Remove(e)
	}
	c.entries[id] = c.order.PushFront(h)
	for c.order.Len() > maxOpen {
		last := c.order.Back()
		c.order.Remove(last)
		h := last.Value.(*handle)
		delete(c.entries, h.path)
		drop = append(drop, h)
	}
	c.mu.Unlock()
	for _, h := range drop {
		c.releaser(h)()
	}
}

func (c *cache) releaser(h *handle) func() {
	return sync.OnceFunc(func() {
		c.mu.Lock()
		h.users--
		last := h.users == 0
		if last && h.file != nil {
			h.file.users--
		}
		shut := last && h.file != nil && h.file.users == 0
		c.mu.Unlock()
		if last && h.store != nil {
			h.store.Close()
		}
		if shut {
			h.file.Close()
		}
	})
}

// close drops all handles.
func (c *cache) close() error {
	c.mu.Lock()
	var drop []*handle
	for e := c.order.Front(); e != nil; e = e.Next() {
		drop = append(drop, e.Value.(*handle))
	}
	c.order.Init()
	clear(c.entries)
	c.mu.Unlock()
	for _, h := range drop {
		c.releaser(h)()
	}
	return nil
}
