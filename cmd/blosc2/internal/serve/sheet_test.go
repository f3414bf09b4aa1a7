package serve

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

var anyX = regexp.MustCompile(`"x":"?-?0\.\d+"?`)

// The rows of a table are JSON and CSV, and its columns of numbers are arrays.
func TestTable(t *testing.T) {
	dir := t.TempDir()
	makeTable(t, filepath.Join(dir, "t.b2z"), 3000)
	_, h := newServer(t, dir, nil)
	_, b := get(t, h.URL+"/a/t.b2z?window=2998:3000&format=json")
	want := `{"shape":[2],"data":[` +
		`{"id":9007199254743990,"temp":38,"x":X,"city":"Oslo","note":"row 2998, \"i\"","tags":["a","b"]},` +
		`{"id":9007199254743991,"temp":null,"x":X,"city":"Rome","note":null,"tags":["a","b"]}]}` + "\n" // 2999 % 7 is 3
	if got := anyX.ReplaceAllString(string(b), `"x":X`); got != want {
		t.Errorf("rows:\n%s\nwant\n%s", got, want)
	}
	_, b = get(t, h.URL+"/a/t.b2z?window=2998:3000&format=json&strings=1")
	want = `{"shape":[2],"data":[{"id":"9007199254743990","temp":"38","x":X,"city":"Oslo","note":"row 2998, \"i\"","tags":"[\"a\",\"b\"]"},` +
		`{"id":"9007199254743991","temp":null,"x":X,"city":"Rome","note":null,"tags":"[\"a\",\"b\"]"}]}` + "\n"
	if got := anyX.ReplaceAllString(string(b), `"x":X`); got != want {
		t.Errorf("rows as text:\n%s\nwant\n%s", got, want)
	}
	_, b = get(t, h.URL+"/a/t.b2z?window=1:5&format=csv&download")
	lines, err := csv.NewReader(strings.NewReader(string(b))).ReadAll()
	if err != nil || len(lines) != 5 || strings.Join(lines[0], ",") != "id,temp,x,city,note,tags" || lines[3][1] != "" || lines[1][4] != `row 1, "b"` {
		t.Errorf("CSV: %v: %q", err, lines)
	}
	// A column that may be null has NaN; one that may not keeps all digits.
	if _, b = get(t, h.URL+"/a/t.b2z/temp?window=1:9:2&format=json"); !strings.Contains(string(b), `"dtype":"<f8","data":[1,"NaN",5,7]`) {
		t.Errorf("a column with nulls: %s", b)
	}
	if _, b = get(t, h.URL+"/a/t.b2z/id?window=2999&format=json"); !strings.Contains(string(b), `9007199254743991`) {
		t.Errorf("a column: %s", b)
	}
	if _, b = get(t, h.URL+"/a/t.b2z/x?envelope=10&format=json"); !strings.Contains(string(b), `"step":300`) {
		t.Errorf("an envelope of a column: %s", b)
	}
	for path, part := range map[string]string{
		"/tree/": `"kind":"table"`, "/tree/t.b2z": `{"name":"temp","kind":"column"`, "/view/t.b2z.json": `"shape":[3000],`, "/view/t.b2z/x.json": `"kind":"column"`,
		"/info/t.b2z": `{"name":"note","kind":"utf8","nullable":true}`, "/zarr/t.b2z/x/zarr.json": `"float32"`, "/zarr/t.b2z/zarr.json": `"x":{`,
	} {
		if resp, b := get(t, h.URL+path); resp.StatusCode != 200 || !strings.Contains(string(b), part) {
			t.Errorf("%s: %s: %.400s", path, resp.Status, b)
		}
	}
	for path, status := range map[string]int{
		"/a/t.b2z?format=npy": 400, "/a/t.b2z?format=json&window=0:9999": 200, "/a/t.b2z?format=json&window=9:1:2,3": 400, "/a/t.b2z?format=json&window=::2": 400,
		"/a/t.b2z/none?format=json": 404, "/a/t.b2z/x/y?format=json": 404, "/a/t.b2z/city?format=json": 415, "/a/t.b2z?format=json&field=none": 400, "/a/t.b2z?format=json&field=city": 200,
	} {
		if resp, b := get(t, h.URL+path); resp.StatusCode != status {
			t.Errorf("%s: %s, want %d: %.300s", path, resp.Status, status, b)
		}
	}
}

// The tables that python-blosc2 wrote are shown as package table reads them.
func TestTablesOfPython(t *testing.T) {
	dir := filepath.Join(b2test.Shared(t), "corpus", "neighbours", "trees", "ctable")
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, h := newServer(t, dir, nil)
	shown := 0
	for _, f := range files {
		if ext := filepath.Ext(f.Name()); ext != ".b2z" && ext != ".b2d" {
			continue
		}
		want, err := table.OpenFile(filepath.Join(dir, f.Name()))
		if err != nil {
			continue // package table cannot open it either
		}
		resp, b := get(t, h.URL+"/a/"+f.Name()+"?format=json")
		if failed := readAll(want); failed != nil {
			if resp.StatusCode < 400 {
				t.Errorf("%s: %s, but %v", f.Name(), resp.Status, failed)
			}
			want.Close()
			continue
		}
		var got struct {
			Data []map[string]any `json:"data"`
		}
		if err := json.Unmarshal(b, &got); err != nil || int64(len(got.Data)) != want.Len() {
			t.Errorf("%s: %s: %d of %d rows: %v: %.300s", f.Name(), resp.Status, len(got.Data), want.Len(), err, b)
		} else if len(got.Data) > 0 && len(got.Data[0]) != len(want.Schema().Columns) {
			t.Errorf("%s: %d of %d columns", f.Name(), len(got.Data[0]), len(want.Schema().Columns))
		}
		for _, c := range want.Schema().Columns {
			resp, b := get(t, h.URL+"/a/"+f.Name()+"/"+url.PathEscape(c.Name)+"?format=json")
			if resp.StatusCode != 200 && resp.StatusCode != 415 {
				t.Errorf("%s/%s: %s: %.200s", f.Name(), c.Name, resp.Status, b)
			}
		}
		want.Close()
		shown++
	}
	t.Logf("%d tables", shown)
	if shown < 20 {
		t.Errorf("only %d tables were compared", shown)
	}
}

func readAll(t *table.Table) error {
	for _, err := range t.Rows(0, t.Len()) {
		if err != nil {
			return err
		}
	}
	return nil
}

// A table below a group is found by its key.
func TestTableInGroup(t *testing.T) {
	specs, err := table.SpecsOf[struct {
		N int16 `blosc2:"n"`
	}]()
	if err != nil {
		t.Fatal(err)
	}
	b, err := table.NewBuilder(specs...)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Append(table.Cells{Values: []int16{4, 5, 6}}); err != nil {
		t.Fatal(err)
	}
	contents, err := b.Contents("/run/t")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := tree.WriteFile(filepath.Join(dir, "s.b2z"), contents); err != nil {
		t.Fatal(err)
	}
	_, h := newServer(t, dir, nil)
	for path, part := range map[string]string{
		"/tree/s.b2z/run": `"name":"t","kind":"table"`, "/tree/s.b2z/run/t": `"name":"n","kind":"column"`, "/a/s.b2z/run/t?format=json&window=1": `[{"n":5}]`, "/a/s.b2z/run/t/n?format=json": `[4,5,6]`,
	} {
		if resp, b := get(t, h.URL+path); resp.StatusCode != 200 || !strings.Contains(string(b), part) {
			t.Errorf("%s: %s: %.400s", path, resp.Status, b)
		}
	}
	req, err := http.NewRequest("HEAD", h.URL+"/a/s.b2z/run/t?format=csv", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, err := io.ReadAll(resp.Body); err != nil || len(b) > 0 || resp.Header.Get("X-Blosc2-Shape") != "3" {
		t.Errorf("HEAD: %v, %d bytes, %v", err, len(b), resp.Header)
	}
}

// The page, charts and Zarr have the names of the dimensions.
func TestDimensions(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "a.b2nd"))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := b2nd.SpecOf[float32](4, 5)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b2nd.NewWriter(f, spec)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b2nd.WriteSlice(w, make([]float32, 20)); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]any{"_ARRAY_DIMENSIONS": []any{"lat", "lon"}, "long_name": "temperature", "units": "K"} {
		if err := w.SetVLMetaValue(name, v); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	_, h := newServer(t, dir, nil)
	for path, parts := range map[string][]string{
		"/zarr/a.b2nd/zarr.json": {`"dimension_names":["lat","lon"]`}, "/view/a.b2nd.json": {`"dims":["lat","lon"]`, `"quantity":"temperature (K)"`},
		"/a/a.b2nd?format=svg": {">lat<", ">lon<", ">temperature (K)<"},
	} {
		_, b := get(t, h.URL+path)
		for _, part := range parts {
			if !strings.Contains(string(b), part) {
				t.Errorf("%s: no %s in %.600s", path, part, b)
			}
		}
	}
}
