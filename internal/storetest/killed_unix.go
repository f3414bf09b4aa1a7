//go:build unix

package storetest

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// These make shards that are larger than the smallest part of S3.
const (
	killBytes  = 18 << 20
	killShards = 3
)

// ShardsKilled runs workers of the command, blosc2 compress --shard. Some are
// killed by SIGKILL at random, run twice at the same time, or stopped until others
// have done their work. It compares the assembled result with the file of a single
// process. out returns the folder or the object of a trial, and read assembles it
// and returns its bytes. With BLOSC2_FULL there are 200 trials.
func ShardsKilled(t *testing.T, program string, out func(trial int) string, read func(out string) []byte) {
	trials := 2
	if os.Getenv("BLOSC2_FULL") != "" {
		trials = 200
	}
	dir := t.TempDir()
	file, whole := filepath.Join(dir, "x.u4"), filepath.Join(dir, "whole")
	data := Noise(killBytes)
	clear(data[killBytes/3 : killBytes/2]) // the second shard compresses to less than a part
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	settings := []string{"compress", "-q", "-l", "5", "--typesize", "4", "--chunk", "500000", "--auto", "off"}
	began := time.Now()
	if log, err := exec.Command(program, append(settings, "-o", whole, file)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, log)
	}
	took := time.Since(began)
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	settings = settings[:len(settings)-2] // --shard does not choose settings by the data
	killed := 0
	for trial := range trials {
		r := rand.New(rand.NewPCG(uint64(trial), 18))
		name := out(trial)
		start := func(k int) *exec.Cmd {
			cmd := exec.Command(program, append(settings, "--shard", fmt.Sprintf("%d/%d", k, killShards), "-o", name, file)...)
			ofGroup(cmd) // so that a worker is killed together with its driver
			cmd.Stderr = new(bytes.Buffer)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			return cmd
		}
		pause := func() { // a worker may be fast, or may wait for a store
			time.Sleep(time.Duration(r.Int64N(int64([]time.Duration{took / 2, 150 * time.Millisecond}[r.IntN(2)]))))
		}

		late := start(r.IntN(killShards))
		pause()
		syscall.Kill(-late.Process.Pid, syscall.SIGSTOP)
		for _, k := range r.Perm(killShards) {
			first, second := start(k), start(k)
			pause()
			for _, cmd := range []*exec.Cmd{first, second} {
				if killGroup(cmd); cmd.Wait() != nil {
					killed++
				}
			}
		}
		// Run all shards again, as a scheduler might.
		for k := range killShards {
			if cmd := start(k); cmd.Wait() != nil {
				t.Fatalf("trial %d: shard %d: %v: %s", trial, k, cmd.ProcessState, cmd.Stderr)
			}
		}
		after := trial%2 == 1 // the late worker ends after the frame is complete
		resume := func() error {
			syscall.Kill(-late.Process.Pid, syscall.SIGCONT)
			return late.Wait()
		}
		if !after {
			if err := resume(); err != nil {
				t.Fatalf("trial %d: the late worker: %v: %s", trial, err, late.Stderr)
			}
		}
		if got := read(name); !bytes.Equal(got, want) {
			t.Fatalf("trial %d: %d bytes, which differ from those of one process", trial, len(got))
		}
		if after {
			resume() // the late worker may fail, because the object is complete
		}
		if (trial+1)%20 == 0 {
			t.Logf("%d trials of %d", trial+1, trials) // shows the progress if -v is set
		}
	}
	if t.Logf("%d trials, %d workers killed", trials, killed); killed == 0 {
		t.Error("no worker was killed")
	}
}

// RunShardsKilled does what ShardsKilled does, with the store of a driver's
// program.
func RunShardsKilled(t *testing.T, d Driver) {
	s := d.start(t)
	program := filepath.Join(d.build(t), "blosc2")
	key := func(trial int) string { return fmt.Sprint("killed/", trial) }
	trial := 0
	ShardsKilled(t, program, func(n int) string { trial = n; return s.url(key(n)) }, func(out string) []byte {
		if log, err := exec.Command(program, "assemble", "-q", out).CombinedOutput(); err != nil {
			t.Fatalf("trial %d: %v: %s", trial, err, log)
		}
		b, err := s.read(t.Context(), key(trial))
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		if err := s.store.Delete(t.Context(), out); err != nil {
			t.Fatal(err)
		}
		if log, err := exec.Command(program, "uploads", "-q", "--remove", d.Base).CombinedOutput(); err != nil { // parts that a late worker of an earlier trial put
			t.Fatalf("trial %d: %v: %s", trial, err, log)
		}
		return b
	})
}
