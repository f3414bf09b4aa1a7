package shard_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// BenchmarkAssemble makes a file of shards of 10 MB each: 20 of them, or with
// BLOSC2_FULL 1,000. "cat" is the command, with a sync of the file after it, as
// AssembleFolder has one. The files are below $TMPDIR.
func BenchmarkAssemble(b *testing.B) {
	shards := 20
	if os.Getenv("BLOSC2_FULL") != "" {
		shards = 1000
	}
	const chunk = 1 << 20
	const each = 10 * chunk
	folder := b.TempDir()
	p, err := shard.NewPlan(int64(shards)*each, shards, stream.ChunkSize(chunk), stream.Level(0))
	if err != nil {
		b.Fatal(err)
	}
	noise := rand.NewChaCha8([32]byte{1})
	for k := range shards {
		err := shard.WriteShardFile(folder, p, k, func(dst []byte, _ int64) error {
			noise.Read(dst)
			return nil
		}, stream.Workers(1))
		if err != nil {
			b.Fatal(err)
		}
	}
	out := filepath.Join(folder, "out")
	run := func(name string, do func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(shards) * each)
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			if err := os.Remove(out); err != nil {
				b.Fatal(err)
			}
		})
	}
	for range 3 { // measure them in turn
		run("cat", func() error {
			return exec.Command("sh", "-c", "cat "+folder+"/*.b2shard > "+out+" && sync "+out).Run()
		})
		run("checked", func() error { return shard.AssembleFolder(out, folder) })
		run("unchecked", func() error { return shard.AssembleFolder(out, folder, shard.Unchecked()) })
	}
}
