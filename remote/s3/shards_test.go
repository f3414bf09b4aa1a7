package s3_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/remote/s3"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

const (
	shardURL   = "s3://bucket/shards.b2frame"
	shardBytes = 26 << 20
	shardCount = 3
)

// shardData holds noise, and a third of zeros, which makes a shard that is too
// short for a part.
func shardData() []byte {
	b := noise(shardBytes)
	clear(b[shardBytes/3 : shardBytes*2/3])
	return b
}

func shardPlan() (*shard.Plan, error) {
	return shard.NewPlan(shardBytes, shardCount, stream.ChunkSize(500_000))
}

// TestShardWorker is a worker where the environment says so: it makes shards, and
// leaves the note and the held bytes of each in a folder.
func TestShardWorker(t *testing.T) {
	folder := os.Getenv("BLOSC2_SHARD_NOTES")
	if folder == "" {
		return // TestShardsKilled starts it
	}
	store := newStore(t, s3.Options{Endpoint: os.Getenv("BLOSC2_SHARD_ENDPOINT"), AccessKey: "someone", SecretKey: "something"})
	up, err := store.Shards(shardURL, os.Getenv("BLOSC2_SHARD_ID"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := shardPlan()
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.NewReader(shardData())
	for _, word := range strings.Fields(os.Getenv("BLOSC2_SHARD_NUMBERS")) {
		k, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		var held bytes.Buffer
		n, err := p.UploadShard(t.Context(), up, &held, k, p.FromReaderAt(data))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		for name, b := range map[string][]byte{"held": held.Bytes(), "note": text} {
			name = filepath.Join(folder, fmt.Sprint(name, k))
			tmp := fmt.Sprint(name, ".", os.Getpid())
			if err := os.WriteFile(tmp, b, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(tmp, name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Workers that put parts of one object are killed at any moment, run twice at the
// same time, or finish late: the object is the frame that one process writes.
func TestShardsKilled(t *testing.T) {
	trials := 1
	if os.Getenv("BLOSC2_FULL") != "" {
		trials = 200
	}
	options := gateway(t)
	store := newStore(t, options)
	file := filepath.Join(t.TempDir(), "whole")
	w, err := stream.CreateFile(file, stream.ChunkSize(500_000))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(shardData()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for trial := range trials {
		r := rand.New(rand.NewPCG(uint64(trial), 9))
		id, err := store.BeginShards(t.Context(), shardURL)
		if err != nil {
			t.Fatal(err)
		}
		notes := t.TempDir()
		worker := func(shards ...int) *exec.Cmd {
			cmd := exec.Command(os.Args[0], "-test.run=^TestShardWorker$")
			cmd.Env = append(os.Environ(), "BLOSC2_SHARD_NOTES="+notes, "BLOSC2_SHARD_ENDPOINT="+options.Endpoint, "BLOSC2_SHARD_ID="+id,
				"BLOSC2_SHARD_NUMBERS="+strings.Trim(fmt.Sprint(shards), "[]"))
			cmd.Stderr = os.Stderr
			return cmd
		}
		all := r.Perm(shardCount)
		late := worker(all[0])
		if err := late.Start(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			first := worker(all...)
			if err := first.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(r.Int64N(int64(400 * time.Millisecond))))
			if first.Process.Kill() == nil && first.Wait() != nil {
				killed++
			}
		}
		for k := range shardCount {
			if _, err := os.Stat(filepath.Join(notes, fmt.Sprint("note", k))); err != nil || r.IntN(3) == 0 {
				if out, err := worker(k).Output(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
		}
		if err := late.Wait(); err != nil { // an upload that is complete takes no more parts
			t.Fatal(err)
		}
		if got := completed(t, store, id, notes); !bytes.Equal(got, want) {
			t.Fatalf("trial %d: %d bytes, other ones than those of one process", trial, len(got))
		}
	}
	t.Logf("%d trials, %d workers killed", trials, killed)
}

// completed completes the object of the notes in a folder, and reads it.
func completed(t *testing.T, store *s3.Store, id, folder string) []byte {
	t.Helper()
	up, err := store.Shards(shardURL, id)
	if err != nil {
		t.Fatal(err)
	}
	var notes []shard.NotedShard
	for k := range shardCount {
		text, err := os.ReadFile(filepath.Join(folder, fmt.Sprint("note", k)))
		if err != nil {
			t.Fatal(err)
		}
		n := new(shard.Note)
		if err := json.Unmarshal(text, n); err != nil {
			t.Fatal(err)
		}
		held := filepath.Join(folder, fmt.Sprint("held", k))
		notes = append(notes, shard.NotedShard{Note: n, Name: held, Open: func() (io.ReadCloser, error) { return os.Open(held) }})
	}
	if err := shard.CompleteParts(t.Context(), up, notes); err != nil {
		t.Fatal(err)
	}
	o, err := store.Open(t.Context(), shardURL)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	got := make([]byte, o.Size())
	if _, err := o.ReadAt(got, 0); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return got
}
