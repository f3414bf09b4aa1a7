package s3_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/remote/s3"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

const (
	shardBytes = 26 << 20
	shardCount = 3
)

// shardData returns noise and, in a third of it, zeros, which make a shard that is too
// short for a part.
func shardData() []byte {
	b := noise(shardBytes)
	clear(b[shardBytes/3 : shardBytes*2/3])
	return b
}

func shardPlan() (*shard.Plan, error) {
	return shard.NewPlan(shardBytes, shardCount, stream.ChunkSize(500_000))
}

// TestShardWorker makes shards if the environment says so. TestShardsKilled starts it
// as a process.
func TestShardWorker(t *testing.T) {
	endpoint := os.Getenv("BLOSC2_SHARD_ENDPOINT")
	if endpoint == "" {
		return // it was not started by TestShardsKilled
	}
	store := newStore(t, s3.Options{Endpoint: endpoint, AccessKey: "someone", SecretKey: "something"})
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
		if err := remote.WriteShard(t.Context(), store, shardURL, p, k, p.FromReaderAt(data)); err != nil {
			t.Fatal(err)
		}
	}
}

// Workers put parts of one object. Some are killed at any moment, run twice at the same
// time, or finish late. The object equals the frame that one process writes.
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
		worker := func(shards ...int) *exec.Cmd {
			cmd := exec.Command(os.Args[0], "-test.run=^TestShardWorker$")
			cmd.Env = append(os.Environ(), "BLOSC2_SHARD_ENDPOINT="+options.Endpoint, "BLOSC2_SHARD_NUMBERS="+strings.Trim(fmt.Sprint(shards), "[]"))
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
		missing := all[1:] // the shards that a scheduler would run again
		if err := remote.AssembleShards(t.Context(), store, shardURL); err == nil {
			t.Log("both were faster than the kill")
			missing = nil
		} else if !errors.Is(err, shard.ErrMissing) {
			t.Fatal(err)
		}
		for _, k := range missing {
			if out, err := worker(k).Output(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		err := late.Wait()
		if missing == nil {
			err = nil // after an earlier attempt has completed the upload, it accepts no more parts
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := remote.AssembleShards(t.Context(), store, shardURL); err != nil {
			t.Fatal(err)
		}
		if err := remote.RemoveShards(t.Context(), store, shardURL); err != nil {
			t.Fatal(err)
		}
		if got := object(t, store); !bytes.Equal(got, want) {
			t.Fatalf("trial %d: %d bytes, which differ from those of one process", trial, len(got))
		}
	}
	t.Logf("%d trials, %d workers killed", trials, killed)
}
