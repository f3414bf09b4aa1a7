package remote_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/ranges"
	"github.com/seed03b80dae/blosc2/remote"
)

// Whatever the fault of a server, a read returns the right bytes or an error of the
// right kind.
func TestFaults(t *testing.T) {
	data := noise(1 << 20)
	hijack := func(w http.ResponseWriter) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		conn.Close()
	}
	partial := func(w http.ResponseWriter, from, to int, send int) {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, len(data)))
		w.Header().Set("Content-Length", fmt.Sprint(to-from))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(data[from : from+send])
	}
	first := func(r *http.Request) (from, to int) {
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
		return from, min(to+1, len(data))
	}
	for _, tt := range []struct {
		name    string
		fault   func(n int, w http.ResponseWriter, r *http.Request) bool
		open    error // error of Open
		err     error // error of ReadAt
		retries bool
	}{
		{name: "bodies cut", retries: true, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n%2 == 1 {
				return false
			}
			from, to := first(r)
			partial(w, from, to, (to-from)/2)
			w.(http.Flusher).Flush()
			hijack(w)
			return true
		}},
		{name: "connections closed", retries: true, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n%3 == 0 {
				hijack(w)
			}
			return n%3 == 0
		}},
		{name: "503 now and then", retries: true, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n%4 != 3 {
				http.Error(w, "slow down", http.StatusServiceUnavailable)
			}
			return n%4 != 3
		}},
		{name: "each status that is retried", retries: true, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n%7 > 0 {
				http.Error(w, "", []int{408, 429, 500, 502, 503, 504}[n%7-1])
			}
			return n%7 > 0
		}},
		{name: "501", err: new(remote.StatusError), fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 0 {
				w.WriteHeader(http.StatusNotImplemented)
			}
			return n > 0
		}},
		{name: "503 for ever", open: new(remote.StatusError), fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			http.Error(w, "slow down", http.StatusServiceUnavailable)
			return true
		}},
		{name: "503 after a while", err: new(remote.StatusError), retries: true, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 0 {
				http.Error(w, "slow down", http.StatusServiceUnavailable)
			}
			return n > 0
		}},
		{name: "another range", err: errAny, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 0 {
				from, to := first(r)
				partial(w, from-8, to-8, to-from)
			}
			return n > 0
		}},
		{name: "a shorter range", err: errAny, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 0 {
				from, to := first(r)
				partial(w, from, to-1, to-1-from)
			}
			return n > 0
		}},
		{name: "200", open: remote.ErrNoRanges, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Write(data)
			return true
		}},
		{name: "200 later", err: remote.ErrNoRanges, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 0 {
				w.Write(data)
			}
			return n > 0
		}},
		{name: "another ETag", err: blosc2.ErrChanged, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 0 {
				r.Header.Del("If-Match") // this server does not know If-Match
				w.Header().Set("ETag", `"two"`)
			}
			return false
		}},
		{name: "412", err: blosc2.ErrChanged, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 0 {
				w.Header().Set("ETag", `"two"`)
			}
			return false
		}},
		{name: "another size", err: blosc2.ErrChanged, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 0 {
				http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data[:len(data)-1]))
			}
			return n > 0
		}},
		{name: "404", open: fs.ErrNotExist, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			http.NotFound(w, r)
			return true
		}},
		{name: "403", open: fs.ErrPermission, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, "<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>")
			return true
		}},
		{name: "gzip", open: errAny, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Encoding", "gzip")
			return false
		}},
		{name: "no size", open: errAny, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Range", "bytes 0-65535/*")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(data[:65536])
			return true
		}},
		{name: "stalls", retries: true, fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n%2 == 1 {
				return false
			}
			from, to := first(r)
			partial(w, from, to, 10)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return true
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, data, tt.fault)
			o, err := s.open(t, remote.Stall(200*time.Millisecond), remote.Retries(6))
			check(t, "Open", err, tt.open)
			if err != nil {
				return
			}
			p := make([]byte, 300_000)
			_, err = o.ReadAt(p, 300_000)
			check(t, "ReadAt", err, tt.err)
			if err == nil && !bytes.Equal(p, data[300_000:600_000]) {
				t.Error("other bytes")
			}
			if n := o.Stats().Retries; (n > 0) != tt.retries {
				t.Errorf("%d retries", n)
			}
		})
	}
}

// A request is repeated if the server resets its HTTP/2 stream before the answer or
// within the body.
func TestResetStream(t *testing.T) {
	data := noise(1 << 20)
	var requests atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		switch n := requests.Add(1); {
		case r.ProtoMajor != 2:
			t.Errorf("request %d: %s", n, r.Proto)
		case n == 1 || n == 3:
			panic(http.ErrAbortHandler)
		case n == 5:
			w.Header().Set("Content-Range", "bytes 400000-400099/1048576")
			w.Header().Set("Content-Length", "100")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(data[400000:400050])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, r, "object", time.Time{}, bytes.NewReader(data))
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	o, err := remote.Open(t.Context(), s.URL, remote.Client(s.Client()), remote.RetryWait(time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for _, off := range []int64{200_000, 400_000} {
		p := make([]byte, 100)
		if err := o.ReadRanges(t.Context(), []ranges.Range{{Off: off, Data: p}}); err != nil || !bytes.Equal(p, data[off:off+100]) {
			t.Errorf("at %d: other bytes, or %v", off, err)
		}
	}
	if n := requests.Load(); n != 6 {
		t.Errorf("%d requests, want 6", n)
	}
}

// The body of a response with status 200 is not read.
func TestNoRangesUnread(t *testing.T) {
	done := make(chan int64, 1)
	s := serve(t, nil, func(n int, w http.ResponseWriter, r *http.Request) bool {
		var sent int64
		w.Header().Set("Content-Length", fmt.Sprint(1<<30))
		for p := make([]byte, 1<<20); sent < 1<<30; {
			k, err := w.Write(p)
			if sent += int64(k); err != nil {
				break
			}
		}
		done <- sent
		return true
	})
	if _, err := s.open(t); !errors.Is(err, remote.ErrNoRanges) {
		t.Error(err)
	}
	if sent := <-done; sent > 64<<20 {
		t.Errorf("%d bytes were sent", sent)
	}
}

// Retries end if most requests fail.
func TestBudget(t *testing.T) {
	s := serve(t, noise(100<<20), func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 0 {
			w.WriteHeader(http.StatusInternalServerError)
		}
		return n > 0
	})
	o, err := s.open(t, remote.Retries(4))
	if err != nil {
		t.Fatal(err)
	}
	for off := int64(1 << 20); off < 100<<20; off += 1 << 20 {
		if _, err := o.ReadAt(make([]byte, 1), off); err == nil {
			t.Error("no error")
		}
	}
	if stats := o.Stats(); stats.Retries > 60 {
		t.Errorf("%+v", stats)
	}
}
