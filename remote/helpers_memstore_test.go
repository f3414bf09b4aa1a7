package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/seed03b80dae/blosc2/parts"
)

// A memStore is a store in memory, and an http.Handler that serves it.
type memStore struct {
	mu      sync.Mutex
	objects map[string][]byte
	uploads int // number of uploads in progress
}

func newMemStore() *memStore { return &memStore{objects: map[string][]byte{}} }

func (s *memStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, ok := s.get(r.URL.Path[1:])
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%d"`, len(b)))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
}

func (s *memStore) get(name string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.objects[name]
	return b, ok
}

// put begins an upload of an object.
func (s *memStore) put(name string) *memParts {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uploads++
	return &memParts{s: s, name: name, parts: map[int][]byte{}}
}

// A memParts is an object being put into a memStore.
type memParts struct {
	s     *memStore
	name  string
	rules parts.Rules

	failAt   int           // number of the part that fails; 0: none; -1: Complete fails
	stays    error         // the error of Abort
	slow     time.Duration // time that each part takes
	mu       sync.Mutex
	parts    map[int][]byte
	order    []int
	now, top int // number of parts that are being put, and its maximum
	ended    bool
}

var errStore = errors.New("the store is full")

func (p *memParts) Rules() parts.Rules { return p.rules }

func (p *memParts) Put(ctx context.Context, n int, body io.ReadSeeker, size int64) (string, error) {
	b, err := io.ReadAll(body)
	if err != nil || int64(len(b)) != size {
		panic(fmt.Sprint("part ", n, " of ", size, " bytes has ", len(b), ": ", err))
	}

	p.mu.Lock()
	p.now++
	p.top = max(p.top, p.now)
	p.mu.Unlock()
	time.Sleep(p.slow)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now--
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	if p.ended || p.parts[n] != nil {
		panic(fmt.Sprint("part ", n, " again, or after the end"))
	}
	if n == p.failAt {
		return "", errStore
	}
	p.parts[n] = b
	p.order = append(p.order, n)
	return fmt.Sprint("tag", n), nil
}

func (p *memParts) Complete(ctx context.Context, list []parts.Part) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failAt == -1 {
		return errStore
	}
	var b []byte
	for i, part := range list {
		if data, ok := p.parts[i+1]; !ok || part != (parts.Part{Number: i + 1, Size: int64(len(data)), Tag: fmt.Sprint("tag", i+1)}) {
			panic(fmt.Sprint("Complete names ", part, " as part ", i+1))
		}
		b = append(b, p.parts[i+1]...)
	}
	p.end(func() { p.s.objects[p.name] = b })
	return nil
}

func (p *memParts) Abort(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now > 0 {
		panic("Abort while a part is put")
	}
	p.end(func() {})
	return p.stays
}

func (p *memParts) end(do func()) {
	if p.ended {
		panic("ended twice")
	}
	p.ended = true
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.s.uploads--
	do()
}
