package shard_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// Many workers put parts of one object, some of them twice, in any order. The object
// equals the frame that one process writes.
func TestParts(t *testing.T) {
	// Long stretches of zeros make shards that are too short for a part.
	data := make([]byte, 1000000)
	copy(data[300000:], numbers(250000))
	copy(data[800000:], numbers(100000))
	want := whole(t, data, stream.ChunkSize(2000))
	r := rand.New(rand.NewPCG(7, 8))
	for _, rule := range []parts.Rules{{Min: 5000, Max: 1 << 30, Count: 1000}, {}, {Min: 50, Max: 1 << 30, Count: 41}} {
		for _, shards := range []int{1, 2, 5, 20} {
			p, err := shard.NewPlan(int64(len(data)), shards, stream.ChunkSize(2000))
			if err != nil {
				t.Fatal(err)
			}
			rule.Shared = true
			up := &upload{rules: rule, parts: map[int][]byte{}}
			var notes []shard.NotedShard
			for _, k := range append(r.Perm(shards), 0) {
				var held bytes.Buffer
				n, err := p.UploadShard(t.Context(), up, &held, k, p.FromReaderAt(bytes.NewReader(data)))
				if err != nil {
					t.Fatal(err)
				}
				if n.Held > 2*rule.Min || n.Held != int64(held.Len()) {
					t.Errorf("%d bytes are held, of which %d came", n.Held, held.Len())
				}
				text, err := json.Marshal(n)
				if err != nil {
					t.Fatal(err)
				}
				n = new(shard.Note)
				if err := json.Unmarshal(text, n); err != nil {
					t.Fatal(err)
				}
				notes = append(notes, shard.NotedShard{Note: n, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(held.Bytes())), nil }})
			}
			if err := shard.CompleteParts(t.Context(), up, notes); err != nil {
				t.Fatalf("%+v, %d shards: %v", rule, shards, err)
			}
			if !bytes.Equal(up.object, want) {
				t.Errorf("%+v, %d shards: other bytes than those of one process", rule, shards)
			}
			if rule.Min == 0 && shards > 1 {
				again := int64(0)
				for _, part := range notes[shards].Parts {
					again += part.Size
				}
				if up.put != int64(len(want))+again {
					t.Errorf("%d shards: %d bytes were put for %d", shards, up.put, len(want))
				}
			}
			if shards > 1 {
				if err := shard.CompleteParts(t.Context(), up, notes[1:shards]); !errors.Is(err, shard.ErrMissing) {
					t.Errorf("a shard is missing: %v", err)
				}
			}
		}
	}
}

var (
	ofAzure = parts.Rules{Max: 4000 << 20, Count: 50_000, Shared: true}
)

// Shards have more than one part, with the sizes that S3 requires.
func TestPartsOfS3(t *testing.T) {
	data := numbers(70 << 20)
	p, err := shard.NewPlan(int64(len(data)), 2, stream.Level(0))
	if err != nil {
		t.Fatal(err)
	}
	up := &upload{rules: ofS3, parts: map[int][]byte{}}
	var notes []shard.NotedShard
	for k := range 2 {
		var held bytes.Buffer
		n, err := p.UploadShard(t.Context(), up, &held, k, p.FromReaderAt(bytes.NewReader(data)))
		if err != nil {
			t.Fatal(err)
		}
		if len(n.Parts) != 4 || n.Held != ofS3.Min {
			t.Errorf("shard %d: %d parts, %d bytes are held", k, len(n.Parts), n.Held)
		}
		notes = append(notes, shard.NotedShard{Note: n, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(held.Bytes())), nil }})
	}
	if err := shard.CompleteParts(t.Context(), up, notes); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(up.object, whole(t, data, stream.Level(0))) {
		t.Error("other bytes than those of one process")
	}
}

// An object has 10,000 parts. A plan of 100 TB in 1,000 shards fits, and a plan of more
// shards than there are part numbers does not.
func TestPartSize(t *testing.T) {
	const tb = 1_000_000_000_000
	for _, c := range []struct {
		size   int64
		shards int
		rule   parts.Rules
		want   int64 // expected size of parts; 0 if the plan is refused
	}{
		{1 << 20, 1, ofS3, 8 << 20},
		{tb, 1000, ofS3, tb / 1000 / 8},
		{tb, 4999, ofS3, tb / 4999},
		{tb, 5000, ofS3, 0},
		{tb, 1000, ofAzure, tb / 1000 / 48},
		{100 * tb, 10, ofAzure, 100 * tb / 10 / 4998},
		{100 * tb, 1, ofS3, 0},
	} {
		p, err := shard.NewPlan(c.size, min(c.shards, int(c.size>>20)), stream.ChunkSize(1<<20))
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.PartSize(c.rule)
		if c.want == 0 {
			if !errors.Is(err, blosc2.ErrOption) {
				t.Errorf("%d bytes in %d shards: parts of %d, %v", c.size, c.shards, got, err)
			}
			continue
		}
		if err != nil || got < c.want || got > c.want+c.want/50 {
			t.Errorf("%d bytes in %d shards: parts of %d, %v, want about %d", c.size, c.shards, got, err, c.want)
		}
	}
}

// An object that only one process can put returns an error, and so does a nil object.
func TestNotShared(t *testing.T) {
	p, err := shard.NewPlan(1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, up := range []parts.Object{nil, &upload{}} {
		var option *blosc2.OptionError
		if _, err := p.UploadShard(t.Context(), up, io.Discard, 0, p.FromReaderAt(bytes.NewReader(make([]byte, 1000)))); !errors.As(err, &option) {
			t.Errorf("UploadShard of %v: %v", up, err)
		}
		if err := shard.CompleteParts(t.Context(), up, nil); !errors.As(err, &option) {
			t.Errorf("CompleteParts of %v: %v", up, err)
		}
	}
}
