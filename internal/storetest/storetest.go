// Package storetest tests the drivers of stores, all in the same way, against
// servers that tests start.
package storetest

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

// A Store is the interface of a driver's store.
type Store interface {
	Open(ctx context.Context, rawURL string, opts ...remote.Option) (*remote.Object, error)
	Put(rawURL string) (parts.Object, error)
	Shared(ctx context.Context, rawURL, id string) (parts.Object, error)
	Delete(ctx context.Context, rawURL string) error
	Unfinished(ctx context.Context, rawURL string) iter.Seq2[remote.Unfinished, error]
	Remove(ctx context.Context, u remote.Unfinished) error
}

// A Driver describes the driver that Run tests.
type Driver struct {
	// Base is the URL of an empty bucket of the server: s3://bucket.
	Base string
	// Start starts a server, which clients reach at the address public, and returns
	// its own address. It ends with the test.
	Start func(t testing.TB, public string) (address string)
	// Connect returns the store of a server's address.
	Connect func(t testing.TB, address string) Store
	// Denied returns clients of the server that must not be able to read. The keys say
	// what they lack.
	Denied func(t testing.TB, address string) map[string]Store
	// Reads reports whether a request reads an object.
	Reads func(r *http.Request) bool
	// Puts reports whether a request puts a part, or a piece of one.
	Puts func(r *http.Request) bool
	// Completes reports whether a request makes the object appear.
	Completes func(r *http.Request) bool
	// Version is the header of a response with the object's version.
	Version string
	// Stays reports whether the store itself drops the parts of an aborted upload, some
	// time later.
	Stays bool
	// InOrder reports whether the parts are one sequential upload, so that none can be
	// put again.
	InOrder bool
	// Hidden reports whether parts are visible only after all have been put.
	Hidden bool
}

// PartSize is the part size of all uploads here, the smallest that all stores
// accept.
const PartSize = 5 << 20

// A server is the server of a store, which is reached through a proxy.
type server struct {
	d     Driver
	proxy *proxy
	store Store // reaches the server through the proxy
}

func (d Driver) start(t testing.TB) *server {
	t.Helper()
	p := newProxy(t)
	p.connect(t, d.Start(t, p.URL))
	return &server{d: d, proxy: p, store: d.Connect(t, p.URL)}
}

func (s *server) url(key string) string { return s.d.Base + "/" + key }

// write writes a frame of data and calls end; if that fails it aborts.
func (s *server) write(ctx context.Context, key string, data []byte, end func(w *remote.Writer) error, opts ...remote.UploadOption) error {
	parts, err := s.store.Put(s.url(key))
	if err != nil {
		return err
	}
	w, err := remote.Create(ctx, parts, append(opts, remote.PartSize(PartSize)), stream.TypeSize(1))
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		w.Abort(err)
		return err
	}
	return end(w)
}

func closing(w *remote.Writer) error { return w.Close() }

// unfinished returns the uploads that are not finished.
func (s *server) unfinished(t testing.TB) (all []remote.Unfinished) {
	t.Helper()
	for u, err := range s.store.Unfinished(t.Context(), s.d.Base) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, u)
	}
	return all
}

// read returns the bytes of a whole object.
func (s *server) read(ctx context.Context, key string, opts ...remote.Option) ([]byte, error) {
	o, err := s.store.Open(ctx, s.url(key), append([]remote.Option{remote.RetryWait(time.Millisecond)}, opts...)...)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	b := make([]byte, o.Size())
	_, err = o.ReadAt(b, 0)
	return b, err
}

// Noise returns n bytes that do not compress.
func Noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{6}).Read(b)
	return b
}

// FreeAddress returns a host and port that nothing listens on.
func FreeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// StartProgram starts a server that ends with the test, and waits until url
// responds.
func StartProgram(t testing.TB, url string, cmd *exec.Cmd) {
	t.Helper()
	log := new(log)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
		if t.Failed() {
			t.Log(log)
		}
	})
	for range 400 {
		resp, err := http.Get(url)
		if err == nil {
			resp.Body.Close()
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s: %v", cmd.Path, errors.Join(err, errors.New(log.String())))
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not answer:\n%s", cmd.Path, log)
}

// A log is the output of a program.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text.Len() < 64<<10 {
		l.text.Write(p)
	}
	return len(p), nil
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
