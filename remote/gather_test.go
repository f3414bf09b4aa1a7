package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/ranges"
	"github.com/seed03b80dae/blosc2/remote"
)

// several returns how many of the requests, given by their Range headers, are for
// several ranges.
func several(requests []string) (n int) {
	for _, r := range requests {
		if strings.Contains(r, ",") {
			n++
		}
	}
	return n
}

// Several ranges are read by one request of up to 4 MiB from servers that support
// it.
func TestGather(t *testing.T) {
	data := noise(20 << 20)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "object"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var requests []string
	files := http.FileServer(http.Dir(dir))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		requests = append(requests, r.Header.Get("Range"))
		if len(requests) > 1 && r.Header.Get("If-Unmodified-Since") == "" {
			t.Error("the version is not required")
		}
		mu.Unlock()
		files.ServeHTTP(w, r)
	}))
	defer s.Close()
	open := func(opts ...remote.Option) *remote.Object {
		t.Helper()
		requests = nil
		o, err := remote.Open(t.Context(), s.URL+"/object", append(opts, remote.Client(s.Client()))...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { o.Close() })
		return o
	}
	read := func(o *remote.Object, rs []ranges.Range) {
		t.Helper()
		if err := o.ReadRanges(t.Context(), rs); err != nil {
			t.Fatal(err)
		}
		same(t, data, rs)
	}

	o := open()
	read(o, scattered(100))
	if len(requests) != 2 || o.Stats().Requests != 2 || o.Stats().Bytes > remote.DefaultFirst+100*(1000+200) {
		t.Errorf("100 ranges: %d requests, %+v", len(requests), o.Stats())
	}
	read(o, scattered(120)) // 20 of these ranges are new
	if len(requests) != 3 {
		t.Errorf("20 ranges: %d requests", len(requests)-2)
	}

	o = open(remote.RangesPerRequest(30))
	read(o, scattered(100))
	if len(requests) != 1+4 {
		t.Errorf("by 30: %d requests", len(requests)-1)
	}

	o = open(remote.RangesPerRequest(1))
	read(o, scattered(100))
	if several(requests) > 0 {
		t.Errorf("one by one: %d requests for several ranges", several(requests))
	}

	o = open()
	var large []ranges.Range
	for off := int64(100_000); off < 18<<20; off += 2_000_000 {
		large = append(large, ranges.Range{Off: off, Data: make([]byte, 1_300_000)})
	}
	read(o, large)
	if n := len(requests) - 1; n != (len(large)+2)/3 {
		t.Errorf("%d ranges of 1.3 MB: %d requests", len(large), n)
	}
}

// Stores receive no requests for several ranges.
func TestGatherNoStore(t *testing.T) {
	data := noise(12 << 20)
	for _, name := range []string{"X-Amz-Request-Id", "X-Goog-Generation", "X-GUploader-UploadID", "X-Ms-Version"} {
		s := serve(t, data, func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set(name, "none")
			return false
		})
		o, err := s.open(t)
		if err != nil {
			t.Fatal(err)
		}
		rs := scattered(100)
		if err := o.ReadRanges(t.Context(), rs); err != nil {
			t.Fatal(err)
		}
		same(t, data, rs)
		if n := several(s.asked()); n > 0 {
			t.Errorf("%s: %d requests for several ranges", name, n)
		}
	}
}

// spansOf returns the ranges [from, to) of a request.
func spansOf(r *http.Request) (spans [][2]int) {
	for span := range strings.SplitSeq(strings.TrimPrefix(r.Header.Get("Range"), "bytes="), ",") {
		var from, to int
		fmt.Sscanf(span, "%d-%d", &from, &to)
		spans = append(spans, [2]int{from, to + 1})
	}
	return spans
}

// A part is one part of an answer to a request for several ranges.
type part struct {
	from, to, size int
	body           []byte
}

// answerParts answers a request with parts.
func answerParts(w http.ResponseWriter, boundary string, ps []part) {
	var buf bytes.Buffer
	m := multipart.NewWriter(&buf)
	m.SetBoundary(boundary)
	for _, p := range ps {
		b, _ := m.CreatePart(textproto.MIMEHeader{"Content-Range": {fmt.Sprintf("bytes %d-%d/%d", p.from, p.to-1, p.size)}})
		b.Write(p.body)
	}
	m.Close()
	w.Header().Set("Content-Type", "multipart/byteranges; boundary="+boundary)
	w.Header().Set("Content-Length", fmt.Sprint(buf.Len()))
	w.WriteHeader(http.StatusPartialContent)
	w.Write(buf.Bytes())
}

// Whatever the answer to a request for several ranges, a read returns the right bytes
// or an error of the right kind. The request is not repeated if the server does not
// support it.
func TestGatherFaults(t *testing.T) {
	data := noise(12 << 20)
	// trap looks like a boundary followed by another part.
	const trap = "\r\n--trap\r\nContent-Range: bytes 200704-204799/12582912\r\n\r\n"
	copy(data[100_100:], trap)
	right := func(r *http.Request) (ps []part) {
		for _, s := range spansOf(r) {
			ps = append(ps, part{s[0], s[1], len(data), data[s[0]:s[1]]})
		}
		return ps
	}
	// answering returns a fault that answers requests for several ranges with parts.
	answering := func(change func(ps []part) []part) func(int, http.ResponseWriter, *http.Request) {
		return func(_ int, w http.ResponseWriter, r *http.Request) { answerParts(w, "next", change(right(r))) }
	}
	status := func(code int) func(int, http.ResponseWriter, *http.Request) {
		return func(_ int, w http.ResponseWriter, r *http.Request) { http.Error(w, "no", code) }
	}
	single := func(w http.ResponseWriter, from, to int) {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, len(data)))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(data[from:to])
	}
	raw := func(kind, body string) func(int, http.ResponseWriter, *http.Request) {
		return func(_ int, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, body)
		}
	}
	const byteranges = "multipart/byteranges; boundary=next"
	for _, tt := range []struct {
		name    string
		fault   func(n int, w http.ResponseWriter, r *http.Request) // n counts the requests for several ranges
		err     error
		asked   int // number of requests for several ranges that two reads make
		retries bool
	}{
		{name: "in another order", asked: 2, fault: answering(func(ps []part) []part {
			slices.Reverse(ps)
			return ps
		})},
		{name: "200", asked: 1, fault: func(n int, w http.ResponseWriter, r *http.Request) { w.Write(data) }},
		{name: "400", asked: 1, fault: status(http.StatusBadRequest)},
		{name: "403", asked: 1, fault: status(http.StatusForbidden)},
		{name: "416", asked: 1, fault: status(http.StatusRequestedRangeNotSatisfiable)},
		{name: "501", asked: 1, fault: status(http.StatusNotImplemented)},
		{name: "the first range", asked: 1, fault: func(n int, w http.ResponseWriter, r *http.Request) {
			s := spansOf(r)[0]
			single(w, s[0], s[1])
		}},
		{name: "all as one", asked: 1, fault: func(n int, w http.ResponseWriter, r *http.Request) { single(w, 0, len(data)) }},
		{name: "a part is missing", asked: 1, fault: answering(func(ps []part) []part { return ps[1:] })},
		{name: "a part twice", asked: 1, fault: answering(func(ps []part) []part { return append(ps[1:], ps[1]) })},
		{name: "more parts", asked: 1, fault: answering(func(ps []part) []part { return slices.Repeat(ps, 6)[1:] })},
		{name: "other parts", asked: 1, fault: answering(func(ps []part) []part {
			for i := range ps {
				ps[i].from, ps[i].to = 5_000_000, 5_000_000+len(ps[i].body)
				ps[i].body = data[ps[i].from:ps[i].to]
			}
			return ps
		})},
		{name: "a short part", asked: 1, fault: answering(func(ps []part) []part {
			ps[3].body = ps[3].body[1:]
			return ps
		})},
		{name: "a long part", asked: 1, fault: answering(func(ps []part) []part {
			ps[3].body = append(slices.Clip(ps[3].body), 0)
			return ps
		})},
		{name: "a boundary in the bytes", asked: 1, fault: func(n int, w http.ResponseWriter, r *http.Request) { answerParts(w, "trap", right(r)) }},
		{name: "no boundary", asked: 1, fault: raw("multipart/byteranges", "--next\r\n")},
		{name: "an empty body", asked: 1, fault: raw(byteranges, "")},
		{name: "no range", asked: 1, fault: raw(byteranges, "--next\r\n\r\nabc\r\n--next--\r\n")},
		{name: "no parts", asked: 1, fault: raw(byteranges, "--next--\r\n")},
		{name: "another type", asked: 1, fault: raw("text/html", "<p>")},
		{name: "without end", asked: 1, fault: func(n int, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", byteranges)
			w.WriteHeader(http.StatusPartialContent)
			for i := 0; r.Context().Err() == nil; i++ {
				if i > 1<<30>>15 {
					t.Error("1 GiB was sent")
					return
				}
				w.Write(data[:1<<15])
			}
		}},
		{name: "another size", err: blosc2.ErrChanged, asked: 2, fault: answering(func(ps []part) []part {
			for i := range ps {
				ps[i].size++
			}
			return ps
		})},
		{name: "another ETag", err: blosc2.ErrChanged, asked: 2, fault: func(n int, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"two"`)
			answerParts(w, "next", right(r))
		}},
		{name: "412", err: blosc2.ErrChanged, asked: 2, fault: status(http.StatusPreconditionFailed)},
		{name: "encoded", asked: 1, fault: func(n int, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			answerParts(w, "next", right(r))
		}},
		{name: "503 at first", asked: 3, retries: true, fault: func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 0 {
				status(http.StatusServiceUnavailable)(n, w, r)
				return
			}
			http.ServeContent(w, r, "object", time.Time{}, bytes.NewReader(data))
		}},
		{name: "503 for ever", err: new(remote.StatusError), asked: 8, retries: true, fault: status(http.StatusServiceUnavailable)},
		{name: "bodies cut", asked: 4, retries: true, fault: func(n int, w http.ResponseWriter, r *http.Request) {
			rec := httptest.NewRecorder()
			rec.Header().Set("ETag", `"one"`)
			http.ServeContent(rec, r, "object", time.Time{}, bytes.NewReader(data))
			body := rec.Body.Bytes()
			for name, values := range rec.Header() {
				w.Header()[name] = values
			}
			w.WriteHeader(rec.Code)
			if n%2 == 1 || rec.Code != http.StatusPartialContent {
				w.Write(body)
				return
			}
			w.Write(body[:len(body)/2])
			panic(http.ErrAbortHandler)
		}},
		{name: "stalls", asked: 4, retries: true, fault: func(n int, w http.ResponseWriter, r *http.Request) {
			if n%2 == 0 {
				<-r.Context().Done()
				return
			}
			http.ServeContent(w, r, "object", time.Time{}, bytes.NewReader(data))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var mu sync.Mutex
			n := 0
			s := serve(t, data, func(_ int, w http.ResponseWriter, r *http.Request) bool {
				if !strings.Contains(r.Header.Get("Range"), ",") {
					return false
				}
				if r.Header.Get("If-Match") != `"one"` {
					t.Error("the version is not required")
				}
				mu.Lock()
				k := n
				n++
				mu.Unlock()
				tt.fault(k, w, r)
				return true
			})
			stall := remote.DefaultStall
			if tt.name == "stalls" {
				stall = time.Second
			}
			o, err := s.open(t, remote.Stall(stall), remote.Retries(3))
			if err != nil {
				t.Fatal(err)
			}
			for i, rs := range [][]ranges.Range{scattered(50), scattered(110)[50:]} {
				err := o.ReadRanges(t.Context(), rs)
				check(t, fmt.Sprintf("read %d", i), err, tt.err)
				if err == nil {
					same(t, data, rs)
				}
			}
			if n != tt.asked {
				t.Errorf("%d requests for several ranges, want %d", n, tt.asked)
			}
			if n := o.Stats().Retries; (n > 0) != tt.retries {
				t.Errorf("%d retries", n)
			}
		})
	}
}

// Goroutines that need parts of the same ranges get them, even if a request for
// several ranges by one of them is rejected.
func TestGatherTogether(t *testing.T) {
	data := noise(12 << 20)
	for _, refuse := range []bool{false, true} {
		s := serve(t, data, func(_ int, w http.ResponseWriter, r *http.Request) bool {
			if refuse && strings.Contains(r.Header.Get("Range"), ",") {
				w.Write(data)
				return true
			}
			return false
		})
		o, err := s.open(t)
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				rs := scattered(100)[i:]
				if err := o.ReadRanges(t.Context(), rs); err != nil {
					t.Error(err)
				}
				same(t, data, rs)
			})
		}
		group.Wait()
	}
}

// A request for several ranges ends when its caller no longer waits.
func TestGatherCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	s := serve(t, noise(12<<20), func(_ int, w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.Header.Get("Range"), ",") {
			cancel(enough)
			<-r.Context().Done()
			return true
		}
		return false
	})
	o, err := s.open(t)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.ReadRanges(ctx, scattered(50)); !errors.Is(err, enough) {
		t.Error(err)
	}
	if n := several(s.asked()); n != 1 {
		t.Errorf("%d requests for several ranges", n)
	}
}
