package serve_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/serve"
)

// A folder is served, and a window of an array in it is read.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "serve")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	spec, err := b2nd.SpecOf[int32](2, 3)
	if err != nil {
		log.Fatal(err)
	}
	w, err := b2nd.CreateFile(filepath.Join(dir, "a.b2nd"), spec)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := b2nd.WriteSlice(w.Writer, []int32{1, 2, 3, 4, 5, 6}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	place, err := serve.OpenPlace(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer place.Close()
	place.Name = "data"
	s := serve.New(serve.Config{Places: []*serve.Place{place}})
	defer s.Close()
	h := httptest.NewServer(s)
	defer h.Close()
	resp, err := http.Get(h.URL + "/a/data/a.b2nd?window=:,1&format=json")
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", text)
	// Output: {"shape":[2],"dtype":"<i4","data":[2,5]}
}
