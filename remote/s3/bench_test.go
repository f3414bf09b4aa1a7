package s3_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

// numbers is a source of numbers that compress to about a half.
type numbers struct{ x uint64 }

func (r *numbers) Read(p []byte) (int, error) {
	n := len(p) &^ 7
	for i := 0; i < n; i += 8 {
		r.x = r.x*6364136223846793005 + 1442695040888963407
		binary.LittleEndian.PutUint64(p[i:], r.x>>32)
	}
	return n, nil
}

// resident returns the most memory that the process has had since reset.
func resident(b *testing.B, reset bool) float64 {
	if reset {
		runtime.GC()
		debug.FreeOSMemory()
		os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip(err)
	}
	var kib float64
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fmt.Sscan(after, &kib)
	return kib / 1024
}

// BenchmarkWrite writes data into a store: 256 MiB, or 4 GiB with BLOSC2_FULL=1,
// straight or by way of a file.
func BenchmarkWrite(b *testing.B) {
	size := int64(256 << 20)
	if os.Getenv("BLOSC2_FULL") != "" {
		size = 4 << 30
	}
	options := gateway(b)
	store := newStore(b, options)
	client, err := minio.New(strings.TrimPrefix(options.Endpoint, "http://"), &minio.Options{Creds: credentials.NewStaticV4(options.AccessKey, options.SecretKey, ""), Region: "us-east-1"})
	if err != nil {
		b.Fatal(err)
	}
	fill := func(w *stream.Writer) {
		if _, err := io.CopyBuffer(struct{ io.Writer }{w}, io.LimitReader(new(numbers), size), make([]byte, 1<<20)); err != nil {
			b.Fatal(err)
		}
	}
	run := func(name string, do func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			resident(b, true)
			for b.Loop() {
				do()
			}
			b.ReportMetric(resident(b, false), "MiB-resident")
		})
	}
	run("store", func() {
		parts, err := store.Put("s3://bucket/straight")
		if err != nil {
			b.Fatal(err)
		}
		w, err := remote.Create(context.Background(), parts, nil)
		if err != nil {
			b.Fatal(err)
		}
		fill(w.Writer)
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	})
	run("file", func() {
		path := filepath.Join(b.TempDir(), "frame")
		w, err := stream.CreateFile(path)
		if err != nil {
			b.Fatal(err)
		}
		fill(w.Writer)
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		if _, err := client.FPutObject(context.Background(), "bucket", "byfile", path, minio.PutObjectOptions{}); err != nil {
			b.Fatal(err)
		}
		os.Remove(path)
	})
	o, err := store.Open(context.Background(), "s3://bucket/straight")
	if err != nil {
		b.Fatal(err)
	}
	defer o.Close()
	r, err := stream.NewReader(o)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	first := make([]byte, 800)
	want := make([]byte, 800)
	new(numbers).Read(want)
	if _, err := io.ReadFull(r, first); err != nil || !bytes.Equal(first, want) {
		b.Error("other data, or", err)
	}
}
