package serve

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/table"
)

// A reading is an item of the array of structures that the tests use.
type reading struct {
	Time  int64
	Name  [4]byte `b2:"name,S4"`
	Temp  float32
	Count int32
}

// saveArray writes an array to a file.
func saveArray[T any](t testing.TB, name string, items []T, change func(*b2nd.Spec), shape ...int64) {
	t.Helper()
	spec, err := b2nd.SpecOf[T](shape...)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&spec)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b2nd.NewWriter(f, spec)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b2nd.WriteSlice(w, items); err != nil {
		t.Fatal(err)
	}
	if err := w.SetVLMetaValue("units", "K"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// cubeAt returns the value at an index of the three-dimensional array that the tests
// use.
func cubeAt(i, j, k int) float32 {
	return float32(math.Sin(float64(i)*.23)*math.Cos(float64(j)*.04) + math.Sin(float64(k)*.0175)*float64(i)*.075)
}

// These are the lengths of that array along its dimensions.
const cubeI, cubeJ, cubeK = 12, 150, 200

// makeFolder writes a folder with files of several kinds.
func makeFolder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	var cube []float32
	for i := range cubeI {
		for j := range cubeJ {
			for k := range cubeK {
				cube = append(cube, cubeAt(i, j, k))
			}
		}
	}
	saveArray(t, filepath.Join(dir, "cube.b2nd"), cube, func(s *b2nd.Spec) {
		s.ChunkShape, s.BlockShape = []int64{5, 64, 70}, []int64{2, 16, 35}
	}, cubeI, cubeJ, cubeK)
	line := make([]float64, 100_000)
	for i := range line {
		line[i] = math.Sin(float64(i) / 300)
	}
	line[34567] = 4
	line[50000] = math.NaN()
	saveArray(t, filepath.Join(dir, "signal.b2nd"), line, nil, int64(len(line)))
	var rows []reading
	for i := range 100_000 {
		rows = append(rows, reading{int64(i), [4]byte{'a', byte('a' + i%26)}, float32(i) / 4, int32(i * 7)})
	}
	saveArray(t, filepath.Join(dir, "table.b2nd"), rows, nil, int64(len(rows)))
	var z []complex128
	for i := range 32 * 40 {
		z = append(z, complex(float64(i%40)-20, float64(i/40)-16))
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	saveArray(t, filepath.Join(dir, "sub", "complex.b2nd"), z, nil, 32, 40)
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("not an array\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".hidden"), []byte("secret\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// newServer serves a folder.
func newServer(t testing.TB, dir string, change func(*Config)) (*Server, *httptest.Server) {
	t.Helper()
	p, err := OpenPlace(dir)
	if err != nil {
		t.Fatal(err)
	}
	p.Name = ""
	c := Config{Places: []*Place{p}, Watch: true}
	if change != nil {
		change(&c)
	}
	s := New(c)
	h := httptest.NewUnstartedServer(s)
	h.Config = s.HTTP()
	h.Start()
	t.Cleanup(func() {
		h.CloseClientConnections()
		s.end()
		h.Close()
		s.Close()
		p.Close()
	})
	return s, h
}

// get returns the status and the body of an answer.
func get(t testing.TB, url string, header ...string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, b
}

// window returns the items of an array that the library itself reads.
func window(t testing.TB, file, text string) []byte {
	t.Helper()
	a, err := b2nd.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	w, err := b2nd.ParseWindow(text, a.Shape())
	if err != nil {
		t.Fatal(err)
	}
	n := int64(a.ItemSize())
	for _, s := range w {
		n *= s.Len()
	}
	b := make([]byte, n)
	if err := a.ReadWindow(b, w); err != nil {
		t.Fatal(err)
	}
	return b
}

func parseType(t testing.TB, text string) meta.DType {
	t.Helper()
	d, err := meta.ParseDType(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func statusIs(err error) int { n, _ := statusOf(err); return n }

// makeTable writes a table of n rows into a folder.
func makeTable(t testing.TB, name string, n int) {
	t.Helper()
	type row struct {
		ID   int64    `blosc2:"id"`
		Temp *int32   `blosc2:"temp"`
		X    float32  `blosc2:"x"`
		City string   `blosc2:"city,dictionary"`
		Note *string  `blosc2:"note"`
		Tags []string `blosc2:"tags"`
	}
	specs, err := table.SpecsOf[row]()
	if err != nil {
		t.Fatal(err)
	}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	rows := make([]row, n)
	for i := range rows {
		temp, note := int32(i%40), fmt.Sprintf("row %d, \"%c\"", i, 'a'+i%26)
		rows[i] = row{ID: 1<<53 + int64(i), Temp: &temp, X: float32(math.Sin(float64(i) / 50)), City: []string{"Oslo", "Rome"}[i%2], Note: &note, Tags: []string{"a", "b"}}
		if i%7 == 3 {
			rows[i].Temp, rows[i].Note = nil, nil
		}
	}
	if err := table.AppendRows(b, rows); err != nil {
		t.Fatal(err)
	}
	if err := b.WriteFile(name); err != nil {
		t.Fatal(err)
	}
}
