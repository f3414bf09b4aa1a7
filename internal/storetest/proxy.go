package storetest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A proxy forwards requests to a server, unless a fault answers them.
type proxy struct {
	*httptest.Server
	mu    sync.Mutex
	next  http.Handler
	fault fault
	busy  atomic.Int64 // number of requests that the server has not answered yet
}

// A fault answers a request in place of the server. It may call next, which is the
// server.
type fault func(w http.ResponseWriter, r *http.Request, next http.Handler)

// newProxy starts a proxy.
func newProxy(t testing.TB) *proxy {
	p := new(proxy)
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

// connect sets the server that receives the requests.
func (p *proxy) connect(t testing.TB, address string) {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true
	transport.MaxIdleConnsPerHost = 64
	t.Cleanup(transport.CloseIdleConnections)
	next := &httputil.ReverseProxy{
		Transport: transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // the signature covers the host
		},
		FlushInterval: -1,
		ErrorHandler:  func(w http.ResponseWriter, r *http.Request, err error) { panic(http.ErrAbortHandler) },
	}
	p.next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.busy.Add(1)
		defer p.busy.Add(-1)
		next.ServeHTTP(w, r)
	})
}

// idle waits until the server has answered all requests.
func (p *proxy) idle() {
	for p.busy.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	f := p.fault
	p.mu.Unlock()
	if f != nil {
		f(w, r, p.next)
		return
	}
	p.next.ServeHTTP(w, r)
}

// set makes f the fault; nil means none.
func (p *proxy) set(f fault) {
	p.mu.Lock()
	p.fault = f
	p.mu.Unlock()
}

// from returns a fault that applies f to requests that match: to at most times of them,
// beginning with number n, counted from 0.
func from(n, times int, match func(*http.Request) bool, f fault) (_ fault, count func() int) {
	var mu sync.Mutex
	seen := 0
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			k := -1
			if match(r) {
				mu.Lock()
				k = seen
				seen++
				mu.Unlock()
			}
			if k >= n && k-n < times {
				f(w, r, next)
				return
			}
			next.ServeHTTP(w, r)
		}, func() int {
			mu.Lock()
			defer mu.Unlock()
			return seen
		}
}

// answer returns a fault that answers with a status.
func answer(code int) fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) { w.WriteHeader(code) }
}

// stall is a fault: it sends no answer, and returns when the request is cancelled.
func stall(w http.ResponseWriter, r *http.Request, next http.Handler) { <-r.Context().Done() }

// lost returns a fault that lets the server handle the request, but drops its answer.
// It answers with a status, or ends the connection if code is 0.
func lost(code int) fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(httptest.NewRecorder(), r)
		if code == 0 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(code)
	}
}

// cut returns a fault that ends a body after n bytes.
func cut(n int) fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&cutter{w, n}, r)
	}
}

type cutter struct {
	http.ResponseWriter
	left int
}

func (c *cutter) Write(p []byte) (int, error) {
	if c.left < len(p) {
		c.ResponseWriter.Write(p[:c.left])
		http.NewResponseController(c.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	c.left -= len(p)
	return c.ResponseWriter.Write(p)
}

// header returns a fault that changes the header of an answer.
func header(change func(code int, h http.Header) int) fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&changer{w, change}, r)
	}
}

type changer struct {
	http.ResponseWriter
	change func(code int, h http.Header) int
}

func (c *changer) WriteHeader(code int) {
	c.ResponseWriter.WriteHeader(c.change(code, c.Header()))
}
