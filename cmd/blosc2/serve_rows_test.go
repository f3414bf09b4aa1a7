package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/serve"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// The rows of a table are the same text from the server as from cat: times, nulls,
// lists and bytes too.
func TestServeRows(t *testing.T) {
	dir := filepath.Join(b2test.Shared(t), "corpus", "neighbours", "trees", "ctable")
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	place, err := serve.OpenPlace(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer place.Close()
	place.Name = ""
	s := serve.New(serve.Config{Places: []*serve.Place{place}})
	h := httptest.NewServer(s)
	defer s.Close()
	defer h.Close()
	same, times, nulls := 0, 0, 0
	for _, f := range files {
		name := filepath.Join(dir, f.Name())
		status, lines, _ := printed(t, "cat", "--json", name)
		if status != exitDone {
			continue // other tests check the tables that cat cannot print
		}
		_, asCSV, _ := printed(t, "cat", "--csv", name)
		get := func(query string) string {
			t.Helper()
			resp, err := http.Get(h.URL + "/a/" + f.Name() + "?" + query)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			b, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("%s: %s %v: %.200s", f.Name(), resp.Status, err, b)
			}
			return string(b)
		}
		if got := get("format=csv"); got != asCSV {
			t.Errorf("%s: CSV of the server:\n%.600s\nof cat:\n%.600s", f.Name(), got, asCSV)
		}
		var rows struct{ Data []json.RawMessage }
		if err := json.Unmarshal([]byte(get("format=json")), &rows); err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
		var got strings.Builder
		for _, r := range rows.Data {
			got.Write(r)
			got.WriteByte('\n')
		}
		if got.String() != lines {
			t.Errorf("%s: JSON of the server:\n%.600s\nof cat:\n%.600s", f.Name(), got.String(), lines)
		}
		same++
		times += strings.Count(lines, `:00Z"`)
		nulls += strings.Count(lines, ":null")
	}
	if same < 20 || times == 0 || nulls == 0 {
		t.Errorf("%d tables with %d times and %d nulls were compared", same, times, nulls)
	}
}
