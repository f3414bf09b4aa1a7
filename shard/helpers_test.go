package shard_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(workerFolder); folder != "" {
		work(folder)
		return
	}
	goleak.VerifyTestMain(m)
}

// numbers returns n bytes: some parts are constant, some are regular and some are
// noise.
func numbers(n int) []byte {
	b := make([]byte, n)
	noise := rand.NewChaCha8([32]byte{byte(n)})
	for i := 0; i < n; i += 5000 {
		part := b[i:min(i+5000, n)]
		switch i / 5000 % 3 {
		case 1:
			for j := range part {
				part[j] = byte(j / 8 >> (8 * (j % 8)))
			}
		case 2:
			noise.Read(part)
		}
	}
	return b
}

// whole returns the file that one stream.Writer makes.
func whole(t testing.TB, data []byte, opts ...stream.WriterOption) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "whole")
	w, err := stream.CreateFile(path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return readFile(t, path)
}

// wholeArray returns the file that one b2nd.Writer makes.
func wholeArray(t testing.TB, spec b2nd.Spec, data []byte, opts ...stream.WriterOption) []byte {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "whole"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w, err := b2nd.NewWriter(file, spec, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return readFile(t, file.Name())
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// inMemory makes all shards of a plan.
func inMemory(t testing.TB, p *shard.Plan, data []byte, opts ...stream.Option) []shard.Shard {
	t.Helper()
	shards := make([]shard.Shard, p.Shards())
	for k := range shards {
		var b bytes.Buffer
		m, err := p.WriteShard(&b, k, p.FromReaderAt(bytes.NewReader(data)), opts...)
		if err != nil {
			t.Fatal(err)
		}
		shards[k] = shard.Shard{Manifest: m, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil }}
	}
	return shards
}

func assemble(t testing.TB, shards []shard.Shard) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := shard.Assemble(&b, shards); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
