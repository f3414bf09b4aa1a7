package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

func TestObject(t *testing.T) {
	for _, size := range []int{0, 1, 8191, 8192, 65536, 65537, 1_000_000} {
		data := noise(size)
		s := serve(t, data, nil)
		o, err := s.open(t)
		if err != nil {
			t.Fatal(size, err)
		}
		if n := s.count(); n != 1 || o.Size() != int64(size) {
			t.Errorf("opening %d bytes took %d requests, of %d bytes", size, n, o.Size())
		}
		if err := iotest.TestReader(o, data); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
		if stats := o.Stats(); stats.Requests != int64(s.count()) || stats.Bytes < int64(size) || stats.Retries > 0 {
			t.Errorf("%d bytes, %d requests: %+v", size, s.count(), stats)
		}
	}
}

// First sets what the first request reads.
func TestFirst(t *testing.T) {
	data := noise(100_000)
	for _, tt := range []struct {
		opts []remote.Option
		want string
		more int
	}{{nil, "bytes=0-65535", 0}, {[]remote.Option{remote.First(4 << 10)}, "bytes=0-4095", 1}, {[]remote.Option{remote.First(-1)}, "bytes=0-0", 1}} {
		s := serve(t, data, nil)
		o, err := s.open(t, tt.opts...)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 50_000)
		if _, err := o.ReadAt(b, 10); err != nil || !bytes.Equal(b, data[10:50_010]) {
			t.Errorf("other bytes, or %v", err)
		}
		if s.requests[0] != tt.want || s.count() != 1+tt.more {
			t.Errorf("%q, want %q first and %d more", s.requests, tt.want, tt.more)
		}
	}
}

// A frame of up to 64 KiB takes one request, with all its data; a longer one is opened
// by two.
func TestSmallFrame(t *testing.T) {
	for _, n := range []int{0, 1, 4000, 5000, 30_000, 65_000, 70_000, 10 << 20} {
		data := noise(n)
		file, err := stream.Compress(nil, data)
		if err != nil {
			t.Fatal(err)
		}
		s := serve(t, file, nil)
		o, err := s.open(t)
		if err != nil {
			t.Fatal(err)
		}
		f, err := frame.Open(o, o.Size())
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, n)
		small := len(file) <= remote.DefaultFirst
		if small {
			if _, err := f.ReadAt(got, 0); err != nil && n > 0 || !bytes.Equal(got, data) {
				t.Errorf("%d bytes: other data, or %v", n, err)
			}
		}
		if want := map[bool]int{true: 1, false: 2}[small]; s.count() != want {
			t.Errorf("a frame of %d bytes took the requests %q, want %d", len(file), s.asked(), want)
		}
	}
}

// Tail makes the first request read the end of the object if the server supports that.
func TestTail(t *testing.T) {
	const tail = 100_000
	for _, size := range []int{1, 8192, tail, tail + 1, 1_000_000} {
		data := noise(size)
		s := serve(t, data, nil)
		o, err := s.open(t, remote.Tail(tail))
		if err != nil {
			t.Fatal(size, err)
		}
		if n := s.count(); n != 1 || o.Size() != int64(size) || s.requests[0] != "bytes=-100000" {
			t.Errorf("opening %d bytes took %q, of %d bytes", size, s.requests, o.Size())
		}
		b := make([]byte, min(size, tail))
		if _, err := o.ReadAt(b, int64(size-len(b))); len(b) > 0 && err != nil || !bytes.Equal(b, data[size-len(b):]) {
			t.Errorf("the end of %d bytes: other bytes, %v", size, err)
		}
		if s.count() != 1 {
			t.Errorf("the end of %d bytes took %q", size, s.requests)
		}
		if err := iotest.TestReader(o, data); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	data := noise(1_000_000)
	for _, without := range []func(w http.ResponseWriter){
		func(w http.ResponseWriter) { w.WriteHeader(http.StatusRequestedRangeNotSatisfiable) },
		func(w http.ResponseWriter) { w.Write(data) },
	} {
		s := serve(t, data, func(_ int, w http.ResponseWriter, r *http.Request) bool {
			suffix := strings.HasPrefix(r.Header.Get("Range"), "bytes=-")
			if suffix {
				without(w)
			}
			return suffix
		})
		o, err := s.open(t, remote.Tail(tail))
		if err != nil {
			t.Fatal(err)
		}
		if n := s.count(); n != 2 {
			t.Errorf("%q", s.requests)
		}
		if err := iotest.TestReader(o, data); err != nil {
			t.Error(err)
		}
	}
	// An interrupted answer is resumed.
	s := serve(t, data, func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n == 0 {
			w.Header().Set("Content-Range", "bytes 900000-999999/1000000")
			w.Header().Set("Content-Length", "100000")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(data[900_000:930_000])
		}
		return n == 0
	})
	o, err := s.open(t, remote.Tail(tail))
	if err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(o, data); err != nil || s.requests[1] != "bytes=930000-999999" {
		t.Errorf("%q, %v", s.requests, err)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	s := serve(t, noise(1<<20), func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 0 {
			w.Header().Set("Retry-After", "20")
			w.WriteHeader(http.StatusTooManyRequests)
			cancel(enough)
		}
		return n > 0
	})
	o, err := remote.Open(ctx, s.URL+"/object", remote.Client(s.Client()))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if _, err := o.ReadAt(make([]byte, 1), 500_000); !errors.Is(err, enough) {
		t.Error(err)
	}
}

func TestBadURLs(t *testing.T) {
	for _, u := range []string{"", "file", "ftp://a/b", "http://", "http://a b/", "https://user:pass word@h/%zz", "s3://bucket/key"} {
		_, err := remote.Open(t.Context(), u)
		if err == nil {
			t.Errorf("%q was opened", u)
			continue
		}
		t.Log(err)
		if strings.Contains(err.Error(), "pass word") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", u, err)
		}
	}
}

func TestFile(t *testing.T) {
	data := noise(300_000)
	fsys := fstest.MapFS{"file": {Data: data}}
	for i, wrap := range []func(fs.File) fs.File{
		func(f fs.File) fs.File { return f },
		func(f fs.File) fs.File {
			return struct {
				fs.File
				io.Seeker
			}{f, f.(io.Seeker)}
		},
		func(f fs.File) fs.File { return struct{ fs.File }{f} },
	} {
		f, err := fsys.Open("file")
		if err != nil {
			t.Fatal(err)
		}
		o, err := remote.FromFile(t.Context(), wrap(f))
		if err != nil {
			t.Fatal(err)
		}
		if err := iotest.TestReader(o, data); err != nil {
			t.Errorf("%d: %v", i, err)
		}
		o.Close()
		if i == 2 {
			f, _ := fsys.Open("file")
			if _, err := remote.FromFile(t.Context(), wrap(f), remote.UseCache(remote.NewCache(1000))); !errors.Is(err, blosc2.ErrTooLarge) {
				t.Errorf("a file that does not fit: %v", err)
			}
		}
		f.Close()
	}
}

// Long ranges of an object that exceeds the cache are correct, and are not cached.
func TestStraight(t *testing.T) {
	data := noise(10<<20 + 1234)
	s := serve(t, data, func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n != 3 {
			return false
		}
		w.Header().Set("Content-Length", fmt.Sprint(4<<20)) // the body ends before this length
		w.Header().Set("Content-Range", fmt.Sprintf("%s/%d", strings.Replace(r.Header.Get("Range"), "=", " ", 1), len(data)))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(data[:0])
		panic(http.ErrAbortHandler)
	})
	o, err := s.open(t, remote.UseCache(remote.NewCache(1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, before := make([]byte, 9<<20), s.count()
		if _, err := o.ReadAt(got, 777_777); err != nil || !bytes.Equal(got, data[777_777:777_777+9<<20]) {
			t.Fatalf("other bytes, or %v", err)
		}
		if n := s.count() - before; n < 3 || n > 4 {
			t.Errorf("%d requests for 9 MiB", n)
		}
	}
	small := make([]byte, 1000)
	for range 2 {
		before := s.count()
		if _, err := o.ReadAt(small, 100); err != nil || !bytes.Equal(small, data[100:1100]) {
			t.Fatalf("other bytes, or %v", err)
		}
		if s.count() != before {
			t.Error("the first bytes are not in the cache any more")
		}
	}
}
