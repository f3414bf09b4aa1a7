package shard_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// Assembling a shard with any manifest and bytes does not panic, and the result can be
// opened.
func FuzzAssemble(f *testing.F) {
	data := numbers(20000)
	add := func(p *shard.Plan, err error) {
		if err != nil {
			f.Fatal(err)
		}
		var body bytes.Buffer
		m, err := p.WriteShard(&body, 0, p.FromReaderAt(bytes.NewReader(data)))
		if err != nil {
			f.Fatal(err)
		}
		header, err := p.Header().Append(nil)
		if err != nil {
			f.Fatal(err)
		}
		var lengths []byte
		for _, n := range m.Chunks {
			lengths = binary.LittleEndian.AppendUint32(lengths, uint32(n))
		}
		f.Add(header, p.Size(), p.Shards(), 0, lengths, body.Bytes())
	}
	add(shard.NewPlan(20000, 1, stream.ChunkSize(3000)))
	add(shard.NewPlan(0, 1, stream.Checks(false)))
	add(shard.NewArrayPlan(b2nd.Spec{Shape: []int64{10, 20}, DType: "<f4", ChunkShape: []int64{3, 7}}, 1))
	f.Fuzz(func(t *testing.T, header []byte, size int64, shards, k int, lengths, body []byte) {
		defer b2test.Cost(t)()
		chunks := []int64{}
		for ; len(lengths) >= 4; lengths = lengths[4:] {
			chunks = append(chunks, int64(int32(binary.LittleEndian.Uint32(lengths))))
		}
		text, err := json.Marshal(map[string]any{
			"version": 1, "shard": k, "chunks": chunks, "digest": fmt.Sprintf("%016x", framing.Digest(body)),
			"plan": map[string]any{"header": header, "size": size, "shards": shards, "split": "default"},
		})
		if err != nil {
			t.Fatal(err)
		}
		m := new(shard.Manifest)
		if json.Unmarshal(text, m) != nil {
			return
		}
		if again, err := json.Marshal(m); err != nil {
			t.Fatalf("%s cannot be written again: %v, %s", text, err, again)
		}
		var out bytes.Buffer
		err = shard.Assemble(&out, []shard.Shard{{Manifest: m, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }}})
		if err != nil {
			return
		}
		r, err := frame.Open(bytes.NewReader(out.Bytes()), int64(out.Len()), frame.WithLimits(frame.Limits{Chunk: 1<<31 - 1}))
		if err != nil {
			t.Fatalf("what was assembled cannot be opened: %v", err)
		}
		if r.NumChunks() != m.Plan.NumChunks() || r.Size() != m.Plan.Size() {
			t.Errorf("%d bytes in %d chunks, planned %d in %d", r.Size(), r.NumChunks(), m.Plan.Size(), m.Plan.NumChunks())
		}
	})
}

// Opening a shard's file with any contents does not panic.
func FuzzOpenFile(f *testing.F) {
	p, err := shard.NewPlan(5000, 2, stream.ChunkSize(1000))
	if err != nil {
		f.Fatal(err)
	}
	folder := f.TempDir()
	if err := shard.WriteShardFile(folder, p, 1, p.FromReaderAt(bytes.NewReader(numbers(5000)))); err != nil {
		f.Fatal(err)
	}
	f.Add(readFile(f, folder+"/"+p.FileName(1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		if m, err := shard.ReadManifest(bytes.NewReader(b), int64(len(b))); err == nil && m.Len() > int64(len(b)) {
			t.Errorf("%d bytes of chunks in a file of %d", m.Len(), len(b))
		}
	})
}

// Parsing any note does not panic, and a valid one can be written again.
func FuzzNote(f *testing.F) {
	p, err := shard.NewPlan(5000, 2, stream.ChunkSize(1000))
	if err != nil {
		f.Fatal(err)
	}
	rules := parts.Rules{Min: 10, Max: 1 << 30, Count: 10, Shared: true}
	n, err := p.UploadShard(f.Context(), &upload{rules: rules, parts: map[int][]byte{}}, io.Discard, 1, p.FromReaderAt(bytes.NewReader(numbers(5000))))
	if err != nil {
		f.Fatal(err)
	}
	text, err := json.Marshal(n)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		defer b2test.Cost(t)()
		n := new(shard.Note)
		if json.Unmarshal(text, n) != nil {
			return
		}
		if again, err := json.Marshal(n); err != nil {
			t.Errorf("%s cannot be written again: %v, %s", text, err, again)
		}
	})
}
