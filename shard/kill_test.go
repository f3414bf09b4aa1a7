package shard_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// worker starts a process that makes shards.
func worker(ctx context.Context, folder string, shards []int) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), workerFolder+"="+folder, workerShards+"="+strings.Trim(fmt.Sprint(shards), "[]"))
	cmd.Stderr = os.Stderr
	return cmd
}

// Workers that are killed at any moment, run twice at the same time, or finish
// late, change nothing.
func TestWorkersKilled(t *testing.T) {
	trials := 5
	if os.Getenv("BLOSC2_FULL") != "" {
		trials = 200
	}
	want := whole(t, numbers(killBytes), stream.ChunkSize(100000), stream.Level(9))
	p, err := killPlan()
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for trial := range trials {
		r := rand.New(rand.NewPCG(uint64(trial), 5))
		folder := t.TempDir()
		all := r.Perm(killShards)
		late := worker(t.Context(), folder, all[:2]) // this worker continues while others do its work
		if err := late.Start(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			first := worker(t.Context(), folder, all)
			if err := first.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(r.Int64N(int64(150 * time.Millisecond))))
			if first.Process.Kill() == nil && first.Wait() != nil {
				killed++
			}
			checkFolder(t, folder, p)
		}
		for k := range killShards { // run again the shards that a scheduler would run again
			if _, err := os.Stat(filepath.Join(folder, p.FileName(k))); err != nil || r.IntN(3) == 0 {
				if err := worker(t.Context(), folder, []int{k}).Run(); err != nil {
					t.Fatal(err)
				}
			}
		}
		out := filepath.Join(folder, "out.b2frame")
		if err := shard.AssembleFolder(out, folder); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(readFile(t, out), want) {
			t.Fatalf("trial %d: other bytes than those of one process", trial)
		}
		if err := late.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d trials, %d workers killed", trials, killed)
}

// checkFolder opens all shards of a folder in which workers were killed: every shard
// with a final name is complete.
func checkFolder(t *testing.T, folder string, p *shard.Plan) {
	t.Helper()
	for k := range p.Shards() {
		path := filepath.Join(folder, p.FileName(k))
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if _, err := shard.OpenFile(path); err != nil {
			t.Fatal(err)
		}
	}
}
