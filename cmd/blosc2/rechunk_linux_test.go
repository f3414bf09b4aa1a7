package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// highWater returns the peak resident memory of a process in bytes, or 0 if it has
// ended. Its rusage begins with the memory of the process that started it.
func highWater(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib int64
	fmt.Sscan(rest, &kib)
	return kib << 10
}

// The resident memory of a process that rechunks does not exceed --memory, in one
// stage or in two, even if the shard begins within a run of chunks that fit in the
// memory.
func TestRechunkMemory(t *testing.T) {
	program, err := exec.LookPath("blosc2")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	raw, array := filepath.Join(dir, "x.f4"), filepath.Join(dir, "x.b2nd")
	if err := os.WriteFile(raw, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(raw, 384<<20); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (peak int64) {
		t.Helper()
		cmd, log := exec.Command(program, args...), new(bytes.Buffer)
		cmd.Stdout, cmd.Stderr = log, log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		for {
			select {
			case err := <-done:
				if err != nil {
					t.Fatalf("%q: %v: %s", args, err, log)
				}
				return peak
			case <-time.After(2 * time.Millisecond):
				peak = max(peak, highWater(cmd.Process.Pid))
			}
		}
	}
	run("convert", "--shape", "384,512,512", "--dtype", "<f4", "--chunks", "1,512,512", "-o", array, raw)
	for _, mib := range []int64{64, 96, 256} {
		for _, args := range [][]string{
			{"-o", filepath.Join(dir, fmt.Sprint(mib, ".b2nd"))},
			{"--shard", "2/3", "-o", filepath.Join(dir, fmt.Sprint(mib))},
		} {
			args = append([]string{"rechunk", "--memory", fmt.Sprint(mib, "M"), "--chunks", "384,8,8", array}, args...)
			peak := run(args...)
			t.Logf("%q: %d MiB", args[2:], peak>>20)
			if peak == 0 || peak > mib<<20 {
				t.Errorf("%q: resident in %d MiB, want at most %d", args, peak>>20, mib)
			}
		}
	}
}
