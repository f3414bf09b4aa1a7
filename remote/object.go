package remote

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/ranges"
)

// An Object is one version of a remote object. It is an io.ReaderAt and a
// ranges.ReaderAt, whose methods are safe for use by several goroutines. Read and Seek
// share an offset, and are for one goroutine at a time. Its errors are of type
// *fs.PathError and contain the name of the object, without the secrets in a URL.
type Object struct {
	ctx     context.Context
	cancel  context.CancelFunc
	name    string
	backend Backend
	cfg     config
	size    int64
	version string
	slots   chan struct{} // holds one value for each request in flight
	budget  budget
	stats   figures
	off     int64
}

// New opens the object that b reads, with a name for errors. One request reads
// its first 64 KiB, unless First or Tail is given. ctx also applies to ReadAt and Read:
// when it is cancelled they return its cause.
func New(ctx context.Context, b Backend, name string, opts ...Option) (*Object, error) {
	if err := framing.Need(ctx != nil, "context", "a context.Context"); err != nil {
		return nil, err
	}
	if err := framing.Need(b != nil, "backend", "a remote.Backend"); err != nil {
		return nil, err
	}
	o := &Object{name: name, backend: b, cfg: newConfig(opts), size: -1, budget: budget{tokens: budgetMost}}
	o.ctx, o.cancel = context.WithCancel(ctx)
	o.slots = make(chan struct{}, o.cfg.concurrency)
	if err := o.open(); err != nil {
		o.cancel()
		return nil, o.wrap("open", err)
	}
	return o, nil
}

// open makes the first request: for the end of the object if Tail is set and the store
// supports it, otherwise for the beginning.
func (o *Object) open() error {
	if _, ok := o.backend.(Ender); ok && o.cfg.tail > 0 {
		if err := o.openAt(-o.cfg.tail, 0); !errors.Is(err, ErrNoRanges) {
			return err
		}
	}
	return o.openAt(0, o.cfg.first)
}

// openAt makes the first request, for the bytes [off, end), or for the last -off bytes
// if off is negative.
func (o *Object) openAt(off, end int64) error {
	r := &request{tries: tries{o: o, ctx: o.ctx}, off: off, end: end}
	defer r.Close()
	if err := r.start(); err != nil {
		return err
	}
	for from := r.off; from < r.end; from = r.off {
		data := make([]byte, min((from/pageSize+1)*pageSize, r.end)-from)
		if err := readFull(r, data); err != nil {
			return err
		}
		_, mine := o.cfg.cache.take(o, from, from+int64(len(data)), 1, nil, nil)
		o.cfg.cache.put(mine[0], data)
	}
	return nil
}

// same compares the size and version in an answer with those of the object. The first
// answer sets them.
func (o *Object) same(info Info) error {
	if o.size < 0 {
		if info.Size < 0 {
			return errors.New("the server does not report the length of the object")
		}
		o.size, o.version = info.Size, info.Version
	}
	if info.Size != o.size || info.Version != o.version {
		return errChanged(o.version, info.Version)
	}
	return nil
}

// Size returns the number of bytes of the object.
func (o *Object) Size() int64 { return o.size }

// Version returns the ETag of the object, or the store's equivalent; empty if
// there is none.
func (o *Object) Version() string { return o.version }

// lineRate is the speed of the link that RequestCost assumes, in bytes per second:
// 1 Gbit/s.
const lineRate = 125e6

// Cost returns the cost of requests: see Concurrency, RequestCost and
// RangesPerRequest. An Object is a ranges.Priced.
func (o *Object) Cost() ranges.Cost {
	c := ranges.Cost{AtOnce: o.cfg.concurrency, Request: o.cfg.request}
	if c.Request < 0 {
		wait := min(time.Duration(o.stats.wait.Load()), 100*time.Millisecond)
		c.Request = int64(wait.Seconds() * lineRate / float64(c.AtOnce))
	}
	c.AtOnce *= o.perRequest()
	return c
}

// Name returns the name of the object, without secrets in a URL.
func (o *Object) Name() string { return o.name }

// Stats returns the number and bytes of requests so far.
func (o *Object) Stats() Stats {
	o.stats.mu.Lock()
	defer o.stats.mu.Unlock()
	return o.stats.Stats
}

// Stat returns the name and size of the object: an Object is an fs.File.
func (o *Object) Stat() (fs.FileInfo, error) { return objectInfo{o}, nil }

type objectInfo struct{ o *Object }

func (i objectInfo) Name() string       { return path.Base(i.o.name) }
func (i objectInfo) Size() int64        { return i.o.size }
func (i objectInfo) Mode() fs.FileMode  { return 0o444 }
func (i objectInfo) ModTime() time.Time { return time.Time{} }
func (i objectInfo) IsDir() bool        { return false }
func (i objectInfo) Sys() any           { return nil }

// Close ends all requests, and drops the object from the cache.
func (o *Object) Close() error {
	o.cancel()
	o.cfg.cache.forget(o)
	return nil
}

// ReadAt implements io.ReaderAt. It requests whole pages of 8 KiB, because the
// bytes after p are often read next.
func (o *Object) ReadAt(p []byte, off int64) (n int, err error) {
	switch {
	case off < 0:
		return 0, o.wrap("read", fs.ErrInvalid)
	case off >= o.size:
		return 0, io.EOF
	}
	n = int(min(int64(len(p)), o.size-off))
	if err := o.read(o.ctx, []ranges.Range{{Off: off, Data: p[:n]}}, pageSize); err != nil {
		return 0, err
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Read implements io.Reader, from the offset that Read and Seek share.
func (o *Object) Read(p []byte) (n int, err error) {
	n, err = o.ReadAt(p, o.off)
	o.off += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// Seek sets the offset of Read.
func (o *Object) Seek(off int64, whence int) (int64, error) {
	off = fsio.Offset(off, whence, o.off, o.size)
	if off < 0 {
		return o.off, o.wrap("seek", fs.ErrInvalid)
	}
	o.off = off
	return off, nil
}

// wrap adds the name of the object to an error.
func (o *Object) wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	var known *fs.PathError
	if errors.As(err, &known) && known.Path == o.name {
		return err
	}
	return &fs.PathError{Op: op, Path: o.name, Err: err}
}
