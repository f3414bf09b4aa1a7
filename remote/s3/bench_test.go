package s3_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

// A numbers is a source of numbers that compress to about half of their size.
type numbers struct{ x uint64 }

func (r *numbers) Read(p []byte) (int, error) {
	n := len(p) &^ 7
	for i := 0; i < n; i += 8 {
		r.x = r.x*6364136223846793005 + 1442695040888963407
		binary.LittleEndian.PutUint64(p[i:], r.x>>32)
	}
	return n, nil
}

// A counter counts requests, and the bytes of their bodies.
type counter struct {
	http.RoundTripper
	requests, bytes atomic.Int64
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.requests.Add(1)
	c.bytes.Add(max(r.ContentLength, 0))
	return c.RoundTripper.RoundTrip(r)
}

// resident returns the peak memory of the process since reset.
func resident(b *testing.B, reset bool) float64 {
	if reset {
		runtime.GC()
		debug.FreeOSMemory()
		os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("the resident memory is only known on Linux: ", err)
	}
	var kib float64
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fmt.Sscan(after, &kib)
	return kib / 1024
}

// BenchmarkWrite writes data into a store: 256 MiB, or 4 GiB with BLOSC2_FULL=1,
// directly or through a file.
func BenchmarkWrite(b *testing.B) {
	size := int64(256 << 20)
	if os.Getenv("BLOSC2_FULL") != "" {
		size = 4 << 30
	}
	options := gateway(b)
	sent := &counter{RoundTripper: http.DefaultTransport}
	options.Transport = sent
	store := newStore(b, options)
	client, err := minio.New(strings.TrimPrefix(options.Endpoint, "http://"), &minio.Options{Creds: credentials.NewStaticV4(options.AccessKey, options.SecretKey, ""), Region: "us-east-1", Transport: sent})
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
			requests, bytes := sent.requests.Load(), sent.bytes.Load()
			for b.Loop() {
				do()
			}
			b.ReportMetric(resident(b, false), "MiB-resident")
			b.ReportMetric(float64(sent.requests.Load()-requests)/float64(b.N), "requests")
			b.ReportMetric(float64(sent.bytes.Load()-bytes)/float64(b.N)/(1<<20), "MiB-sent")
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/op")
			b.ReportMetric(0, "ns/op")
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
