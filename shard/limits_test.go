package shard_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// An ends is a frame that holds only the bytes before and after the chunks.
type ends struct {
	head, tail []byte
	body       int64
}

func (e ends) ReadAt(p []byte, off int64) (int, error) {
	size := int64(len(e.head)) + e.body + int64(len(e.tail))
	if off >= size {
		return 0, io.EOF
	}
	tail := int64(len(e.head)) + e.body
	switch {
	case off+int64(len(p)) <= int64(len(e.head)):
		return copy(p, e.head[off:]), nil
	case off >= tail:
		n := copy(p, e.tail[off-tail:])
		if n < len(p) {
			return n, io.EOF
		}
		return n, nil
	}
	return 0, errors.New("a read of chunks")
}

// The index of 30 million chunks, 30 TB in chunks of 1 MB, is made in memory and
// read again. The short form has a hundredth of them.
func TestIndexOfMillions(t *testing.T) {
	n := int64(300_000)
	if os.Getenv("BLOSC2_FULL") != "" {
		n = 30_000_000
	}
	p, err := shard.NewPlan(n*1_000_000, 1, stream.ChunkSize(1_000_000))
	if err != nil {
		t.Fatal(err)
	}
	m := &shard.Manifest{Plan: p, Chunks: make([]int64, n)}
	for i := range m.Chunks {
		m.Chunks[i] = 300_000 + int64(i)%1000
	}
	start := time.Now()
	head, tail, err := shard.Ends([]*shard.Manifest{m})
	if err != nil {
		t.Fatal(err)
	}
	made := time.Since(start)
	start = time.Now()
	// The frame's header and record are read together with the first bytes that follow,
	// which are zeros here.
	head = append(head, make([]byte, 4096)...)
	f, err := frame.Open(ends{head, tail, m.Len() - 4096}, int64(len(head)+len(tail))+m.Len()-4096)
	if err != nil {
		t.Fatal(err)
	}
	if f.NumChunks() != n || f.Size() != n*1_000_000 {
		t.Errorf("%d bytes in %d chunks, want %d", f.Size(), f.NumChunks(), n)
	}
	t.Logf("%d chunks: index of %d bytes, made in %v, opened in %v", n, len(tail), made, time.Since(start))
}

// An object has as many parts as S3 allows.
func TestTenThousandParts(t *testing.T) {
	const shards, chunk = 4999, 200
	rules := ofS3
	rules.Min = 30
	data := numbers(shards * chunk)
	p, err := shard.NewPlan(int64(len(data)), shards, stream.ChunkSize(chunk), stream.Level(0))
	if err != nil {
		t.Fatal(err)
	}
	up := &upload{rules: rules, parts: map[int][]byte{}}
	var notes []shard.NotedShard
	for k := range shards {
		var held bytes.Buffer
		n, err := p.UploadShard(t.Context(), up, &held, k, p.FromReaderAt(bytes.NewReader(data)), stream.Workers(1))
		if err != nil {
			t.Fatal(err)
		}
		notes = append(notes, shard.NotedShard{Note: n, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(held.Bytes())), nil }})
	}
	if err := shard.CompleteParts(t.Context(), up, notes); err != nil {
		t.Fatal(err)
	}
	if len(up.parts) != 2*shards+1 || !bytes.Equal(up.object, whole(t, data, stream.ChunkSize(chunk), stream.Level(0))) {
		t.Errorf("%d parts, or other bytes than those of one process", len(up.parts))
	}
}

// The error of a damaged manifest does not repeat its bytes.
func TestDamagedManifest(t *testing.T) {
	p, err := shard.NewPlan(1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	p = p.WithSource("a source")
	if err := shard.WriteShardFile(folder, p, 0, func([]byte, int64) error { return nil }); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(folder, p.FileName(0)))
	if err != nil {
		t.Fatal(err)
	}
	start := len(whole) - 16 - int(binary.LittleEndian.Uint64(whole[len(whole)-16:]))
	failed := 0
	for at := start; at < len(whole); at++ {
		for _, flip := range []byte{0x80, 0x9b, 0x1f} {
			whole[at] ^= flip
			_, err := shard.ReadManifest(bytes.NewReader(whole), int64(len(whole)))
			whole[at] ^= flip
			if err == nil { // the flip changed a letter of the source or a digit of the digest
				continue
			}
			failed++
			if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("byte %d of the manifest is flipped: %q", at-start, err)
			}
		}
	}
	if most := 3 * (len(whole) - start); failed < most*9/10 {
		t.Errorf("%d of %d flips were found", failed, most)
	}
}
