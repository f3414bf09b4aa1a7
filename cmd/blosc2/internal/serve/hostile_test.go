package serve

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// raw sends a request line unchanged; clients of net/http would clean it.
func raw(t testing.TB, addr, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(c, "%s\r\nHost: x\r\nConnection: close\r\n\r\n", request)
	b, _ := io.ReadAll(c)
	return string(b)
}

// No path leaves the folder or reaches a hidden file.
func TestTraversal(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.txt")
	if err := os.WriteFile(outside, []byte("OUTSIDE"), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := makeFolder(t)
	for name, to := range map[string]string{"out.txt": outside, "up": "..", "etc": "/", "in.b2nd": "cube.b2nd", "self": "self"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			b2test.Missing(t, "symbolic links: "+err.Error())
		}
	}
	_, h := newServer(t, dir, nil)
	addr := h.Listener.Addr().String()
	secret := filepath.Base(filepath.Dir(outside)) + "/outside.txt"
	for _, verb := range []string{"f", "a", "info", "tree", "view", "zarr", "chunks"} {
		for _, p := range []string{
			"out.txt", "up/" + secret, "etc/etc/passwd", "etc/passwd", "../" + secret, "../../" + secret, "%2e%2e/" + secret, "%2e%2e%2f" + secret,
			"..%2f..%2f..%2fetc%2fpasswd", "sub/../../" + secret, "/" + outside, "//etc/passwd", "..\\..\\etc\\passwd", "%5c..%5c", ".hidden", "sub/../.hidden",
			"./cube.b2nd", "self", "self/self", "%00", "cube.b2nd%00.txt", "cube.b2nd/../.hidden", "C:/windows", "\xff\xfe", strings.Repeat("a/", 2000), strings.Repeat("x", 5000),
		} {
			answer := raw(t, addr, "GET /"+verb+"/"+p+" HTTP/1.1")
			if strings.Contains(answer, "OUTSIDE") || strings.Contains(answer, "root:") || strings.Contains(answer, "secret") || strings.HasPrefix(answer, "HTTP/1.1 200") {
				t.Errorf("/%s/%s: %.200s", verb, p, answer)
			}
			if strings.HasPrefix(answer, "HTTP/1.1 500") || answer == "" {
				t.Errorf("/%s/%s: %.200q", verb, p, answer)
			}
		}
	}
	if answer := raw(t, addr, "GET /f/in.b2nd HTTP/1.1"); !strings.HasPrefix(answer, "HTTP/1.1 200") {
		t.Errorf("a link within the folder: %.200s", answer)
	}
	if answer := raw(t, addr, "GET /tree/ HTTP/1.1"); strings.Contains(answer, "out.txt") || strings.Contains(answer, "hidden") {
		t.Errorf("the listing: %s", answer)
	}
}

// Random paths, windows and parameters are answered, and never with status 500.
func TestRandomRequests(t *testing.T) {
	t.Parallel()
	n := 10_000
	if testing.Short() {
		n = 1000
	}
	dir := makeFolder(t)
	makeTable(t, filepath.Join(dir, "t.b2z"), 500)
	_, h := newServer(t, dir, func(c *Config) { c.MaxWindow, c.MaxWork = 1<<18, 1<<22 })
	verbs := []string{"f", "a", "a", "a", "a", "info", "tree", "view", "zarr", "chunks", "page", ""}
	words := []string{"cube.b2nd", "signal.b2nd", "table.b2nd", "t.b2z", "t.b2z/temp", "t.b2z/city", "sub", "complex.b2nd", "notes.txt", "c", "0", "1", "zarr.json", ".json", "..", ".", "%", "ü", "", "-1", "9999999999999999999"}
	numbers := []string{"", "0", "1", "-1", "5", "150", "-9223372036854775808", "9223372036854775807", "99999999999999999999", "x", "1e3"}
	values := map[string][]string{
		"format": append([]string{"", "x"}, formats...), "stride": {"", "1", "2,3", "0", "9223372036854775807", "-1", "7,7,7"}, "as": {"", "f4", "f8", "i4"},
		"part": {"", "re", "angle", "?"}, "field": {"", "Temp", "Name", "Temp.x", "."}, "envelope": {"", "", "1", "100", "65536", "65537", "-1"},
		"dtype": {"", "", "f4", "i8", "V3", "O", "[('a','<i4')]", "<M8[ns]"}, "stretch": {"", "0,100", "NaN,1", "2"}, "log": {"", "1"}, "size": {"", "", "100x100", "2000x100", "99x99", "x"}, "dark": {"", "1"}, "strings": {"", "1"}, "palette": {"", "magma", "x"},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(s []string) string { return s[rng.IntN(len(s))] }
	seen := map[int]int{}
	for range n {
		p := "/" + pick(verbs)
		for range 1 + rng.IntN(3) {
			p += "/" + url.PathEscape(pick(words))
		}
		q := url.Values{}
		var dims []string
		for range rng.IntN(4) {
			dims = append(dims, []string{pick(numbers), pick(numbers) + ":" + pick(numbers), ":", pick(numbers) + ":" + pick(numbers) + ":" + pick(numbers), "..."}[rng.IntN(5)])
		}
		q.Set("window", strings.Join(dims, ","))
		for k, v := range values {
			if rng.IntN(4) == 0 {
				q.Set(k, pick(v))
			}
		}
		resp, b := get(t, h.URL+p+"?"+q.Encode())
		seen[resp.StatusCode]++
		if resp.StatusCode >= 500 {
			t.Errorf("%s?%s: %s: %s", p, q.Encode(), resp.Status, b)
		}
	}
	if seen[200] == 0 || seen[400] == 0 || seen[404] == 0 || seen[413] == 0 {
		t.Errorf("statuses %v: the requests are too much alike", seen)
	}
}

// Clients that disconnect, or stop reading, leave no goroutine and no open file.
func TestHalfClosed(t *testing.T) {
	dir := makeFolder(t)
	s, h := newServer(t, dir, nil)
	addr := h.Listener.Addr().String()
	get(t, h.URL+"/a/cube.b2nd?window=0,0,0")
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	before := runtime.NumGoroutine()
	for i := range 60 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		path := []string{"/a/cube.b2nd?format=csv", "/events/cube.b2nd", "/f/cube.b2nd", "/a/signal.b2nd?envelope=100&format=json"}[i%4]
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
		switch i % 3 {
		case 0: // disconnect at once
		case 1: // read a little, and then disconnect
			c.Read(make([]byte, 100))
		case 2: // announce that no more is sent
			c.(*net.TCPConn).CloseWrite()
			c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
			io.Copy(io.Discard, c)
		}
		c.Close()
	}
	settles(t, "goroutines", before, runtime.NumGoroutine)
	released(t, s)
	s.files.close()
	settles(t, "files of the folder", 0, func() int { return openFiles(t, dir) })
}

// released waits until no request holds memory. A request may release its memory a
// moment after its client has the answer.
func released(t *testing.T, s *Server) {
	t.Helper()
	settles(t, "bytes of the budget", 0, func() int {
		s.budget.mu.Lock()
		defer s.budget.mu.Unlock()
		return int(s.budget.all - s.budget.free)
	})
}

// settles waits until a number is at most its former value.
func settles(t *testing.T, what string, most int, now func() int) {
	t.Helper()
	for range 500 {
		if now() <= most {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	b := make([]byte, 1<<16)
	t.Errorf("%s: %d, at first %d\n%s", what, now(), most, b[:runtime.Stack(b, true)])
}

// openFiles counts the files in a folder that this process has open.
func openFiles(t *testing.T, dir string) (n int) {
	links, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	for _, l := range links {
		if to, err := os.Readlink("/proc/self/fd/" + l.Name()); err == nil && strings.HasPrefix(to, dir+"/") {
			n++
		}
	}
	return n
}

// The server ends connections of clients that send their request byte by byte. Other
// clients are served at the same time.
func TestSlowloris(t *testing.T) {
	s, fast := newServer(t, makeFolder(t), nil)
	slow := s.HTTP()
	if slow.ReadHeaderTimeout <= 0 || slow.ReadHeaderTimeout > time.Minute || slow.IdleTimeout <= 0 {
		t.Errorf("the timeouts are %v and %v", slow.ReadHeaderTimeout, slow.IdleTimeout)
	}
	// The time limit is shorter than in the server, to keep the test short.
	slow.ReadHeaderTimeout = 300 * time.Millisecond
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go slow.Serve(l)
	defer slow.Close()
	before := runtime.NumGoroutine()
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for i := 0; i < 1000; i++ { // takes 20 s unless the server ends the connection
				if _, err := c.Write([]byte("GET /a/cube.b2nd HTTP/1.1\r\nX-Slow: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"[i%60 : i%60+1])); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Error("a slow client was not cut off")
		})
	}
	for _, base := range []string{fast.URL, "http://" + l.Addr().String()} {
		if resp, b := get(t, base+"/a/cube.b2nd?window=0,0,0&format=json"); resp.StatusCode != 200 {
			t.Errorf("beside slow clients: %s: %s", resp.Status, b)
		}
	}
	all.Wait()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	settles(t, "goroutines", before, runtime.NumGoroutine)
}

// Work that exceeds the memory is rejected with status 503, and every answer is
// right.
func TestBusy(t *testing.T) {
	dir := makeFolder(t)
	want := window(t, filepath.Join(dir, "cube.b2nd"), "")
	s, h := newServer(t, dir, func(c *Config) { c.Memory, c.Wait = 3<<20, time.Millisecond })
	var good, refused atomic.Int32
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			resp, b := get(t, h.URL+"/a/cube.b2nd?format=raw")
			switch {
			case resp.StatusCode == 200 && bytes.Equal(b, want):
				good.Add(1)
			case resp.StatusCode == 503 && resp.Header.Get("Retry-After") != "":
				refused.Add(1)
			default:
				t.Errorf("%s, %d bytes", resp.Status, len(b))
			}
		})
	}
	all.Wait()
	if good.Load() == 0 {
		t.Error("all were refused")
	}
	t.Logf("%d answered, %d refused", good.Load(), refused.Load())
	released(t, s)
	// While another request holds the memory, a further request is rejected.
	free, err := s.budget.acquire(t.Context(), s.budget.all, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if resp, _ := get(t, h.URL+"/a/cube.b2nd"); resp.StatusCode != 503 {
		t.Errorf("without memory: %s", resp.Status)
	}
	free()
	if resp, _ := get(t, h.URL+"/a/cube.b2nd"); resp.StatusCode != 200 {
		t.Errorf("with memory again: %s", resp.Status)
	}
}

// A file that grows is followed: the next window has its new rows, and an event is
// sent.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "log.b2nd")
	spec, err := b2nd.SpecOf[int32](b2nd.Unknown, 3)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b2nd.AppendFile(name, spec)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	add := func(v int32) {
		t.Helper()
		if _, err := b2nd.WriteSlice(w.Writer, []int32{v, v + 1, v + 2}); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	add(10)
	_, h := newServer(t, dir, nil)
	resp, err := http.Get(h.URL + "/events/log.b2nd")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	events := make(chan string, 100)
	go func() {
		defer close(events)
		b := make([]byte, 4096)
		for {
			n, err := resp.Body.Read(b)
			events <- string(b[:n])
			if err != nil {
				return
			}
		}
	}()
	heard := func(want string) {
		t.Helper()
		for e := range events {
			if strings.Contains(e, want) {
				return
			}
		}
		t.Fatalf("no event with %s", want)
	}
	heard(`"shape":[1,3]`)
	for i := int32(2); i < 6; i++ {
		add(i * 10)
		heard(fmt.Sprintf(`"shape":[%d,3]`, i))
		if _, b := get(t, h.URL+"/a/log.b2nd?window=-1&format=json"); !strings.Contains(string(b), fmt.Sprintf(`"data":[%d,%d,%d]`, i*10, i*10+1, i*10+2)) {
			t.Errorf("the last row: %s", b)
		}
	}
	h.Config.Shutdown(t.Context()) // this ends the events
	for range events {
	}
}

// Special files are not opened.
func TestSpecialFiles(t *testing.T) {
	at := &spot{info: nil}
	if _, _, err := at.plainFile(); statusIs(err) != 404 {
		t.Error(err)
	}
	for _, err := range []error{&fs.PathError{Op: "open", Path: "/secret/place", Err: fs.ErrPermission}, &fs.PathError{Op: "read", Path: "/secret/place", Err: io.ErrNoProgress}} {
		if _, text := statusOf(err); strings.Contains(text, "secret") {
			t.Errorf("%v names a path of this machine", text)
		}
	}
}
