package b2nd_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// BenchmarkFlushRows flushes ten rows of 16 bytes to a file.
func BenchmarkFlushRows(b *testing.B) {
	file, err := os.Create(filepath.Join(b.TempDir(), "log"))
	must(b, err)
	defer file.Close()
	w, err := b2nd.NewWriter(file, b2nd.Spec{Shape: []int64{b2nd.Unknown, 2}, DType: "<f8"})
	must(b, err)
	rows := newRecords().append(nil, 10)
	b.ReportAllocs()
	for b.Loop() {
		_, err := w.Write(rows)
		must(b, err)
		must(b, w.Flush())
	}
	must(b, w.Close())
}
