package reliabilitytest

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// full selects the long form of the suite: see CONTRIBUTING.md.
var full = os.Getenv("BLOSC2_FULL") != ""

// pick returns the size of a test in its short or its full form.
func pick(short, long int) int {
	if full {
		return long
	}
	return short
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// spread calls f with 0 … n-1, from several goroutines.
func spread(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// percent returns part of whole in percent.
func percent(part, whole int64) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

// pattern returns n bytes that compress, each of which depends only on its offset.
func pattern(from, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		at := uint32(from + i)
		b[i] = byte(at>>2>>(8*(at&3))) ^ byte(at/1000*37)
	}
	return b
}

// folder reports whether an entry is the directory of a sparse frame.
func folder(e b2test.Entry) bool { return e.Kind == "sframe" || len(e.Files) > 0 }
