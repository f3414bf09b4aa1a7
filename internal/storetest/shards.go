package storetest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// testShards tests that workers put one object in shards concurrently, some of them
// twice. The object must equal the file that one process writes, and nothing else may
// be left. One object has more parts than can be composed at once, and shards that are
// too short for a part.
func (s *server) testShards(t *testing.T) {
	for _, tt := range []struct {
		what         string
		size, shards int
	}{{"shards", 30 << 20, 3}, {"one", 20 << 20, 1}, {"many", 2 << 20, 70}} {
		data := Noise(tt.size)
		clear(data[tt.size/3 : tt.size*2/3])
		p, err := shard.NewPlan(int64(len(data)), tt.shards, stream.ChunkSize(20_000))
		if err != nil {
			t.Fatal(err)
		}
		url := s.url(tt.what)
		for _, u := range []string{url, url + ".shards/plan"} {
			if _, err := s.store.Open(t.Context(), u); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s before: %v", u, err)
			}
		}
		if err := remote.AssembleShards(t.Context(), s.store, url); !errors.Is(err, shard.ErrMissing) {
			t.Errorf("%s: no shards: %v", tt.what, err)
		}
		var wg sync.WaitGroup
		slots := make(chan bool, 8)
		write := func(k int) {
			slots <- true
			wg.Go(func() {
				defer func() { <-slots }()
				if err := remote.WriteShard(t.Context(), s.store, url, p, k, p.FromReaderAt(bytes.NewReader(data))); err != nil {
					t.Errorf("%s: shard %d: %v", tt.what, k, err)
				}
			})
		}
		for k := range tt.shards - 1 {
			write(k)
			if k%7 == 0 {
				write(k)
			}
		}
		wg.Wait()
		if tt.shards > 1 {
			var missing *shard.Error
			if err := remote.AssembleShards(t.Context(), s.store, url); !errors.As(err, &missing) || len(missing.Shards) != 1 || missing.Shards[0] != tt.shards-1 {
				t.Errorf("%s: without the last shard: %v", tt.what, err)
			}
		}
		write(tt.shards - 1)
		wg.Wait()
		for range 2 { // the second time, the object is already complete
			if err := remote.AssembleShards(t.Context(), s.store, url); err != nil {
				t.Fatalf("%s: %v", tt.what, err)
			}
		}
		for range 2 {
			if err := remote.RemoveShards(t.Context(), s.store, url); err != nil {
				t.Fatal(err)
			}
		}
		file := filepath.Join(t.TempDir(), "whole")
		if err := shard.WriteFile(file, p, p.FromReaderAt(bytes.NewReader(data))); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.read(t.Context(), tt.what); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: read %d bytes and error %v; want the bytes that one process writes", tt.what, len(got), err)
		}
		if _, err := s.store.Open(t.Context(), url+".shards/plan"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the plan is left: %v", tt.what, err)
		}
	}
	for _, u := range s.unfinished(t) {
		if !strings.Contains(u.URL, "orphan") {
			t.Errorf("left: %v", u)
		}
	}
}

// writeStalled writes data in one shard into a store that stalls, and drops what it
// leaves.
func (s *server) writeStalled(t *testing.T, data []byte) error {
	p, err := shard.NewPlan(int64(len(data)), 1)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	err = remote.WriteShard(t.Context(), remote.ShardStall(s.store, time.Second), s.url("stalled"), p, 0, p.FromReaderAt(bytes.NewReader(data)))
	if took := time.Since(began); took > time.Minute {
		t.Errorf("a shard: it took %v", took)
	}
	for _, u := range s.unfinished(t) {
		if err := s.store.Remove(t.Context(), u); err != nil {
			t.Error(err)
		}
	}
	return err
}
