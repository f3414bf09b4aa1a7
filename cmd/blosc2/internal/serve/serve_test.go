package serve

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/npy"
	"github.com/seed03b80dae/blosc2/remote"
)

// Windows hold the items that the library reads, in each format.
func TestWindows(t *testing.T) {
	dir := makeFolder(t)
	_, h := newServer(t, dir, nil)
	for _, c := range []struct {
		file, window, more string
		same               string // the window in the library's notation
		shape              []int64
	}{
		{"cube.b2nd", "", "", "", []int64{cubeI, cubeJ, cubeK}},
		{"cube.b2nd", "3", "", "3", []int64{cubeJ, cubeK}},
		{"cube.b2nd", "3:9,10:120:7,-1", "", "3:9,10:120:7,-1", []int64{6, 16}},
		{"cube.b2nd", "...,5", "", ":,:,5", []int64{cubeI, cubeJ}},
		{"cube.b2nd", "0,…,5:9", "", "0,:,5:9", []int64{cubeJ, 4}},
		{"cube.b2nd", "3,:,:", "&stride=2,50", "3,::2,::50", []int64{75, 4}},
		{"cube.b2nd", ":,7:8,::3", "&stride=4", "::4,7:8,::12", []int64{3, 1, 17}},
		{"cube.b2nd", "5:5", "", "5:5", []int64{0, cubeJ, cubeK}},
		{"cube.b2nd", "1,2,3", "", "1,2,3", []int64{}},
		{"signal.b2nd", "99990:", "", "99990:", []int64{10}},
		{"table.b2nd", "::1000", "", "::1000", []int64{100}},
	} {
		url := h.URL + "/a/" + c.file + "?window=" + url.QueryEscape(c.window) + c.more
		resp, b := get(t, url)
		if resp.StatusCode != 200 {
			t.Errorf("%s: %s", url, b)
			continue
		}
		r, err := npy.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		want := window(t, filepath.Join(dir, c.file), c.same)
		if !slices.Equal(r.Header.Shape, c.shape) || !bytes.HasSuffix(b, want) || len(b)%64 != len(want)%64 {
			t.Errorf("%s: shape %v, want %v; %d bytes, want %d", url, r.Header.Shape, c.shape, len(b), len(want))
		}
		if _, raw := get(t, url+"&format=raw"); !bytes.Equal(raw, want) {
			t.Errorf("%s: raw differs", url)
		}
		_, stored := get(t, url+"&format=b2nd")
		a, err := b2nd.Open(bytes.NewReader(stored), int64(len(stored)))
		if err != nil {
			t.Errorf("%s as b2nd: %v", url, err)
		} else if all, err := a.ReadAll(); err != nil || !bytes.Equal(all, want) {
			t.Errorf("%s: b2nd differs: %v", url, err)
		}
	}
}

func TestText(t *testing.T) {
	_, h := newServer(t, makeFolder(t), nil)
	for _, c := range []struct{ query, want string }{
		{"cube.b2nd?window=0,0,0&format=json", `{"shape":[],"dtype":"<f4","data":0}`},
		{"cube.b2nd?window=0:2,0,0:2&format=json", fmt.Sprintf(`{"shape":[2,2],"dtype":"<f4","data":[[0,0],[%v,%v]]}`, cubeAt(1, 0, 0), cubeAt(1, 0, 1))},
		{"cube.b2nd?window=0:0&format=json", `{"shape":[0,150,200],"dtype":"<f4","data":[]}`},
		{"signal.b2nd?window=50000&format=json", `{"shape":[],"dtype":"<f8","data":"NaN"}`},
		{"table.b2nd?window=1:3&format=json&field=Count", `{"shape":[2],"dtype":"<i4","data":[7,14]}`},
		{"table.b2nd?window=1&format=json&strings=1&field=Count", `{"shape":[],"dtype":"<i4","data":"7"}`},
		{"sub/complex.b2nd?window=0,0:2&format=json", `{"shape":[2],"dtype":"<c16","data":[[-20,-16],[-19,-16]]}`},
		{"sub/complex.b2nd?window=16,0:2&format=json&as=f8", `{"shape":[2],"dtype":"<f8","data":[20,19]}`},
		{"sub/complex.b2nd?window=1,1&format=csv&as=f4&part=im", "-15"},
		{"cube.b2nd?window=0,0:2,0:3&format=csv", "0,0,0\n0,0,0"},
		{"table.b2nd?window=1&format=csv", "Time,Name,Temp,Count\n1,97 98 0 0,0.25,7"},
	} {
		if _, b := get(t, h.URL+"/a/"+c.query); strings.TrimSpace(string(b)) != c.want {
			t.Errorf("%s: %s, want %s", c.query, b, c.want)
		}
	}
	_, b := get(t, h.URL+"/a/cube.b2nd?format=csv", "Accept-Encoding", "identity")
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil || len(rows) != cubeI*cubeJ || len(rows[0]) != cubeK {
		t.Errorf("csv has %d rows: %v", len(rows), err)
	}
	_, b = get(t, h.URL+"/a/cube.b2nd?format=json", "Accept-Encoding", "identity")
	var all struct{ Data [][][]float32 }
	if err := json.Unmarshal(b, &all); err != nil || all.Data[11][149][199] != cubeAt(11, 149, 199) {
		t.Errorf("json differs: %v", err)
	}
}

// A window in the body of a POST is treated like one in the URL.
func TestPost(t *testing.T) {
	_, h := newServer(t, makeFolder(t), nil)
	resp, err := http.PostForm(h.URL+"/a/cube.b2nd", url.Values{"window": {"1,1,1"}, "format": {"raw"}})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var v float32
	if err := binary.Read(resp.Body, binary.LittleEndian, &v); err != nil || v != cubeAt(1, 1, 1) {
		t.Errorf("%v, %v", v, err)
	}
	resp, err = http.PostForm(h.URL+"/a/cube.b2nd", url.Values{"window": {strings.Repeat(" ", 2<<20)}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a body of 2 MiB: %s", resp.Status)
	}
}

// An envelope holds the least and the greatest number of each column.
func TestEnvelope(t *testing.T) {
	dir := makeFolder(t)
	s, h := newServer(t, dir, nil)
	big := make([]float32, 6_000_000)
	for i := range big {
		big[i] = float32(i%1000) * float32(i) * 1e-6
	}
	big[5_999_999], big[1234567], big[2_000_000] = -7, 9e9, float32(math.NaN())
	saveArray(t, filepath.Join(dir, "long.b2nd"), big, nil, int64(len(big)))
	line := make([]float32, 100_000)
	b := window(t, filepath.Join(dir, "signal.b2nd"), "")
	for i := range line {
		line[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])))
	}
	check := func(name, window string, columns int, values []float32, from, to, step int) {
		t.Helper()
		_, b := get(t, fmt.Sprintf("%s/a/%s?window=%s&envelope=%d&format=json", h.URL, name, window, columns))
		var c struct {
			Start, First, Step, Stop, Missing int
			Min, Max                          []*float64
		}
		if err := json.Unmarshal(b, &c); err != nil {
			t.Fatalf("%s %s: %v: %s", name, window, err, b)
		}
		if len(c.Min) > columns || len(c.Min) < 1 || c.Start != from || c.Stop < to {
			t.Fatalf("%s %s: %d columns of %d to %d", name, window, len(c.Min), c.Start, c.Stop)
		}
		missing := 0
		for k := range c.Min {
			a, e := c.First+(k-1)*c.Step, min(c.First+k*c.Step, to)
			if k == 0 {
				a = from
			}
			lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
			for i := a; i < e; i++ {
				if (i-from)%step != 0 {
					continue
				}
				if v := values[i]; v != v {
					missing++
				} else {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
			if c.Min[k] == nil || float32(*c.Min[k]) != lo || float32(*c.Max[k]) != hi {
				t.Fatalf("%s %s: column %d of items %d to %d differs", name, window, k, a, e)
			}
		}
		if end := c.First + (len(c.Min)-1)*c.Step; end < to {
			t.Errorf("%s %s: the columns end at %d, before %d", name, window, end, to)
		}
		if missing != c.Missing {
			t.Errorf("%s %s: %d missing, want %d", name, window, c.Missing, missing)
		}
	}
	check("signal.b2nd", "", 1000, line, 0, 100_000, 1)
	check("signal.b2nd", "17:99001", 333, line, 17, 99_001, 1)
	check("signal.b2nd", "17:99001:3", 50, line, 17, 99_001, 3)
	check("signal.b2nd", "5:9", 50, line, 5, 9, 1)
	check("long.b2nd", "", 1000, big, 0, 6_000_000, 1)
	check("long.b2nd", "", 1, big, 0, 6_000_000, 1)
	check("long.b2nd", "777:5999000", 501, big, 777, 5_999_000, 1)
	check("long.b2nd", "1:5999999", 2000, big, 1, 5_999_999, 1)
	if n := s.curves.kept.Len(); n != 1 {
		t.Errorf("%d bases are kept, want 1", n)
	}
}

func TestPicture(t *testing.T) {
	_, h := newServer(t, makeFolder(t), nil)
	_, b := get(t, h.URL+"/a/cube.b2nd?window=5&format=png&palette=magma&stretch=0,100")
	m, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Bounds().Size(); s.X != cubeK || s.Y != cubeJ {
		t.Errorf("the picture has %v pixels", s)
	}
	low, high := [2]int{}, [2]int{}
	for j := range cubeJ {
		for k := range cubeK {
			if cubeAt(5, j, k) < cubeAt(5, low[0], low[1]) {
				low = [2]int{j, k}
			}
			if cubeAt(5, j, k) > cubeAt(5, high[0], high[1]) {
				high = [2]int{j, k}
			}
		}
	}
	for _, c := range []struct {
		at   [2]int
		want uint32
	}{{low, 0x000004}, {high, 0xfcfdbf}} {
		r, g, b, _ := m.At(c.at[1], c.at[0]).RGBA()
		if got := r>>8<<16 | g>>8<<8 | b>>8; got != c.want {
			t.Errorf("pixel %v is %06x, want %06x", c.at, got, c.want)
		}
	}
}

// A chart has the requested size, and the names in the metadata.
func TestChart(t *testing.T) {
	_, h := newServer(t, makeFolder(t), nil)
	for _, window := range []string{"5", "3,::2,20"} {
		resp, b := get(t, h.URL+"/a/cube.b2nd?format=png&size=700x400&window="+window)
		m, err := png.DecodeConfig(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("%s: %v: %.200s", resp.Status, err, b)
		}
		if m.Width != 700 || m.Height != 400 {
			t.Errorf("the chart has %d × %d pixels", m.Width, m.Height)
		}
		resp, b = get(t, h.URL+"/a/cube.b2nd?format=svg&dark=1&window="+window)
		if got := resp.Header.Get("Content-Type"); got != "image/svg+xml" {
			t.Errorf("an SVG is %s", got)
		}
		for _, part := range []string{"cube.b2nd [" + window + "]", "dimension 1", ">K<", "#0d1117"} {
			if !strings.Contains(string(b), part) {
				t.Errorf("no %q in the chart of %s", part, window)
			}
		}
	}
	// A chart may show more items than a picture may have pixels.
	if resp, b := get(t, h.URL+"/a/signal.b2nd?format=png"); resp.StatusCode != 413 {
		t.Errorf("a picture of 100,000 pixels: %s: %.200s", resp.Status, b)
	}
	if resp, b := get(t, h.URL+"/a/signal.b2nd?format=svg"); resp.StatusCode != 200 {
		t.Errorf("a chart of 100,000 items: %s: %.200s", resp.Status, b)
	}
	for _, size := range []string{"x", "700", "99x400", "700x2001", "-1x5"} {
		if resp, b := get(t, h.URL+"/a/cube.b2nd?window=5&format=png&size="+size); resp.StatusCode != 400 || !strings.Contains(string(b), "WIDTHxHEIGHT") {
			t.Errorf("size %s: %s: %.200s", size, resp.Status, b)
		}
	}
}

// The file has ranges with strong ETags, and our own remote source reads it.
func TestFile(t *testing.T) {
	dir := makeFolder(t)
	_, h := newServer(t, dir, nil)
	whole, err := os.ReadFile(filepath.Join(dir, "cube.b2nd"))
	if err != nil {
		t.Fatal(err)
	}
	resp, b := get(t, h.URL+"/f/cube.b2nd")
	tag := resp.Header.Get("ETag")
	if !bytes.Equal(b, whole) || !strings.HasPrefix(tag, `"`) {
		t.Errorf("%d bytes, tag %s", len(b), tag)
	}
	resp, b = get(t, h.URL+"/f/cube.b2nd", "Range", "bytes=100-199", "If-Range", tag)
	if resp.StatusCode != http.StatusPartialContent || !bytes.Equal(b, whole[100:200]) {
		t.Errorf("a range: %s, %d bytes", resp.Status, len(b))
	}
	if resp, b = get(t, h.URL+"/f/cube.b2nd", "Range", "bytes=100-199", "If-Range", `"other"`); resp.StatusCode != 200 || len(b) != len(whole) {
		t.Errorf("If-Range with another tag: %s", resp.Status)
	}
	if resp, _ = get(t, h.URL+"/f/cube.b2nd", "Range", "bytes=99999999-"); resp.StatusCode != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("a range after the end: %s", resp.Status)
	}
	if resp, _ = get(t, h.URL+"/f/cube.b2nd", "If-None-Match", tag); resp.StatusCode != http.StatusNotModified {
		t.Errorf("If-None-Match: %s", resp.Status)
	}
	if resp, _ = get(t, h.URL+"/f/cube.b2nd", "If-Match", `"other"`); resp.StatusCode != http.StatusPreconditionFailed {
		t.Errorf("If-Match: %s", resp.Status)
	}
	head, err := http.Head(h.URL + "/f/cube.b2nd")
	if err != nil || head.ContentLength != int64(len(whole)) {
		t.Errorf("HEAD: %d, %v", head.ContentLength, err)
	}
	o, err := remote.Open(t.Context(), h.URL+"/f/cube.b2nd")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	a, err := b2nd.Open(o, o.Size())
	if err != nil {
		t.Fatal(err)
	}
	if v, err := b2nd.At[float32](a, 7, 8, 9); err != nil || v != cubeAt(7, 8, 9) {
		t.Errorf("through remote: %v, %v", v, err)
	}
}

// Every page is also available as JSON.
func TestPages(t *testing.T) {
	dir := makeFolder(t)
	_, h := newServer(t, dir, func(c *Config) {
		c.Describe = func(name string, f *frame.Reader, size int64) (any, error) {
			return map[string]any{"file": name, "n": size}, nil
		}
	})
	for path, want := range map[string]string{
		"/view/.json":                  `"name":"sub","kind":"folder"`,
		"/view/sub.json":               `"shape":[32,40]`,
		"/view/cube.b2nd.json":         `"chunkshape":[5,64,70]`,
		"/view/notes.txt.json":         `"kind":"file"`,
		"/tree/":                       `"name":"cube.b2nd","kind":"b2nd"`,
		"/tree/?filter=PLEX":           `"name":"sub/complex.b2nd"`,
		"/info/cube.b2nd":              `"file":"cube.b2nd"`,
		"/chunks/cube.b2nd":            `"counts":[3,3,3]`,
		"/zarr/zarr.json":              `"node_type":"group"`,
		"/zarr/sub/zarr.json":          `"data_type":"complex128"`,
		"/zarr/cube.b2nd/zarr.json":    `"chunk_shape":[5,64,70]`,
		"/":                            `<script type="module"`,
		"/view/cube.b2nd":              `<script type="module"`,
		"/view/sub/complex.b2nd?v=any": `<script type="module"`,
		"/page/app.js":                 "import",
	} {
		resp, b := get(t, h.URL+path)
		if resp.StatusCode != 200 || !strings.Contains(string(b), want) {
			t.Errorf("%s: %s: %s", path, resp.Status, b[:min(len(b), 300)])
		}
		if tag := resp.Header.Get("ETag"); tag != "" {
			if again, _ := get(t, h.URL+path, "If-None-Match", tag); again.StatusCode != http.StatusNotModified {
				t.Errorf("%s with its tag: %s", path, again.Status)
			}
		}
	}
}

// HEAD has the length where it is known; other origins may read only if --cors
// says so.
func TestHeadAndCORS(t *testing.T) {
	_, h := newServer(t, makeFolder(t), func(c *Config) { c.CORS = "https://viewer.example" })
	for format, want := range map[string]int64{"raw": 200 * 4, "npy": 128 + 200*4, "json": -1} {
		resp, err := http.Head(h.URL + "/a/cube.b2nd?window=0,0&format=" + format)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 200 || resp.ContentLength != want || resp.Header.Get("X-Blosc2-Shape") != "200" {
			t.Errorf("%s: %s, %d bytes, shape %s", format, resp.Status, resp.ContentLength, resp.Header.Get("X-Blosc2-Shape"))
		}
		if got := resp.Header.Get("Access-Control-Allow-Origin"); got != "https://viewer.example" {
			t.Errorf("the origin %q may read", got)
		}
	}
	_, plain := newServer(t, makeFolder(t), nil)
	if resp, _ := get(t, plain.URL+"/tree/", "Origin", "https://viewer.example"); resp.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("other origins may read without --cors")
	}
}

// Bad requests get one line, as HTML or JSON, with the right status.
func TestErrors(t *testing.T) {
	_, h := newServer(t, makeFolder(t), func(c *Config) { c.MaxWindow, c.MaxWork = 1<<20, 1<<22 })
	for query, want := range map[string]int{
		"/a/missing.b2nd":                               404,
		"/a/sub":                                        404,
		"/a/notes.txt":                                  415,
		"/a/cube.b2nd?window=99":                        400,
		"/a/cube.b2nd?window=x":                         400,
		"/a/cube.b2nd?window=0,0,0,0":                   400,
		"/a/cube.b2nd?format=exe":                       400,
		"/a/cube.b2nd?stride=0":                         400,
		"/a/cube.b2nd?stride=1,2":                       400,
		"/a/cube.b2nd?envelope=10":                      400,
		"/a/cube.b2nd?dtype=i8":                         400,
		"/a/cube.b2nd?field=x":                          400,
		"/a/cube.b2nd?as=f2":                            400,
		"/a/cube.b2nd?window=0&palette=pink&format=png": 400,
		"/a/cube.b2nd?window=0:2,0:3&format=png":        400,
		"/a/table.b2nd?format=png":                      400,
		"/a/cube.b2nd":                                  413,
		"/a/signal.b2nd?window=0:99999&format=csv":      413,
		"/a/cube.b2nd?%zz":                              400,
		"/f/.hidden":                                    404,
		"/f/sub":                                        404,
		"/f/sub/../notes.txt":                           404,
		"/zarr/cube.b2nd/c/9/0/0":                       404,
		"/zarr/cube.b2nd/c/0":                           404,
		"/zarr/cube.b2nd/.zarray":                       404,
		"/zarr/notes.txt/zarr.json":                     415,
		"/info/notes.txt":                               415,
		"/view/missing":                                 404,
		"/nothing":                                      404,
	} {
		resp, b := get(t, h.URL+query)
		if resp.StatusCode != want {
			t.Errorf("%s: %s, want %d: %s", query, resp.Status, want, b)
			continue
		}
		var e struct {
			Error  string
			Status int
		}
		if err := json.Unmarshal(b, &e); err != nil || e.Error == "" || e.Status != want || strings.Contains(e.Error, "\n") || strings.Contains(e.Error, "blosc2:") {
			t.Errorf("%s: %s: %v", query, b, err)
		}
		if resp, b := get(t, h.URL+query, "Accept", "text/html"); resp.StatusCode != want || !strings.Contains(string(b), "role=alert") {
			t.Errorf("%s as HTML: %s: %s", query, resp.Status, b)
		}
	}
	resp, err := http.Post(h.URL+"/f/cube.b2nd", "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusMethodNotAllowed || !strings.HasPrefix(string(b), `{"error":"method POST`) || resp.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST to a file: %s: %s", resp.Status, b)
	}
}

// Without the token nothing is answered; with it in the address the page sets a
// cookie.
func TestToken(t *testing.T) {
	s, h := newServer(t, makeFolder(t), func(c *Config) { c.Token, c.Hosts = NewToken(), []string{"127.0.0.1"} })
	for _, path := range []string{"/", "/f/cube.b2nd", "/view/.json", "/a/cube.b2nd?window=0,0,0", "/f/cube.b2nd?token=wrong"} {
		if resp, _ := get(t, h.URL+path); resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s without a token: %s", path, resp.Status)
		}
	}
	if resp, _ := get(t, h.URL+"/f/cube.b2nd", "Authorization", "Bearer "+s.Token); resp.StatusCode != 200 {
		t.Errorf("as a bearer token: %s", resp.Status)
	}
	if resp, _ := get(t, h.URL+"/f/cube.b2nd?token="+s.Token); resp.StatusCode != 200 {
		t.Errorf("in the query: %s", resp.Status)
	}
	resp, _ := get(t, h.URL+"/view/cube.b2nd?v=line&token="+s.Token, "Accept", "text/html")
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != "/view/cube.b2nd?v=line" || len(resp.Cookies()) != 1 {
		t.Fatalf("in the address of a page: %s to %s", resp.Status, resp.Header.Get("Location"))
	}
	if resp, _ := get(t, h.URL+"/", "Cookie", resp.Cookies()[0].String()); resp.StatusCode != 200 {
		t.Errorf("with the cookie: %s", resp.Status)
	}
	r := httptest.NewRequest(http.MethodGet, "http://evil.example/", nil)
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != http.StatusMisdirectedRequest {
		t.Errorf("another host: %d", w.Code)
	}
}
