//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A signal ends the verbs that write shards or join them, and leaves no temporary file,
// whatever they are doing.
func TestSignalsShards(t *testing.T) {
	dir := t.TempDir()
	raw, array, shards := filepath.Join(dir, "x.f4"), filepath.Join(dir, "x.b2nd"), filepath.Join(dir, "shards")
	data := make([]byte, 64<<20) // zstd takes long to compress random data
	rand.NewChaCha8([32]byte{}).Read(data)
	if err := os.WriteFile(raw, data, 0o666); err != nil {
		t.Fatal(err)
	}
	shape := []string{"--shape", "256,256,256", "--dtype", "<f4", "--chunks", "256,8,8"}
	for _, args := range [][]string{
		append([]string{"convert", "-l", "1", "-o", array, raw}, shape...),
		{"compress", "-l", "1", "--shard", "0/1", "-o", shards, raw},
	} {
		if out, err := exec.Command("blosc2", append(args, "-q")...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
	}
	slow := []string{"-c", "zstd", "-l", "9"}
	rechunk := slices.Clip(append([]string{"rechunk", "--chunks", "1,256,256", array}, slow...))
	for _, test := range []struct {
		args []string
		at   string // the signal is sent when a file with a name of this pattern exists
	}{
		{append(append([]string{"convert", raw}, shape...), slow...), ".out*.tmp"},
		{append(append([]string{"convert", raw, "--shard", "0/2"}, shape...), slow...), "out/.*.tmp"},
		{append([]string{"compress", raw, "--shard", "0/2"}, slow...), "out/.*.tmp"},
		{append(rechunk, "--shard", "0/2"), "out/.*.tmp"},
		{append(rechunk, "--memory", "32M"), "..out.b2nd.stage.tmp.*.tmp"},
		{append(rechunk, "--memory", "32M"), ".out.b2nd.[0-9]*.tmp"},
		{append(rechunk, "--memory", "1G"), ".out.b2nd.*.tmp"},
		{[]string{"reduce", "--std", "--axis", "2", array}, ".out.b2nd.*.tmp"},
		{[]string{"reduce", "--std", "--axis", "2", "--shard", "0/1", array}, "out/.*.tmp"},
		{[]string{"assemble", shards}, ".out*.tmp"},
		{[]string{"assemble", "--unchecked", shards}, ".out*.tmp"},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(fmt.Sprint(test.args[0], " ", filepath.Dir(test.at), " ", sig), func(t *testing.T) {
				caught := make(chan os.Signal, 1) // see TestSignals
				signal.Notify(caught, sig)
				defer signal.Stop(caught)
				for range 20 { // the command may end before it receives the signal
					dir := t.TempDir()
					out := filepath.Join(dir, "out")
					if !strings.HasPrefix(test.at, "out/") {
						out += arraySuffix
					}
					if endsBySignal(t, dir, append([]string{"-q", test.args[0], "-o", out}, test.args[1:]...), test.at, sig) {
						return
					}
				}
				t.Error("always ended before the signal")
			})
		}
	}
}

// A signal leaves no temporary file of the verbs that replace a file or write a store.
func TestSignalsReplace(t *testing.T) {
	dir := t.TempDir()
	raw, array, zarr := filepath.Join(dir, "x.f4"), filepath.Join(dir, "x.b2nd"), filepath.Join(dir, "x.zarr")
	data := make([]byte, 64<<20)
	rand.NewChaCha8([32]byte{}).Read(data)
	if err := os.WriteFile(raw, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"convert", "-l", "1", "--shape", "256,256,256", "--dtype", "<f4", "-o", array, raw},
		{"zarr", "export", array, zarr},
	} {
		if out, err := exec.Command("blosc2", append([]string{"-q"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
	}
	for _, test := range []struct {
		args []string
		at   string
	}{
		{[]string{"compact", "DIR/x.b2nd"}, ".x.b2nd.*.tmp"},
		{[]string{"tree", "create", "DIR/out.b2z", "/a=" + array}, ".out.b2z.*.tmp"},
		{[]string{"zarr", "import", zarr, "DIR/out.b2z"}, ".out.b2z.*.tmp"},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(fmt.Sprint(test.args[0], " ", sig), func(t *testing.T) {
				caught := make(chan os.Signal, 1) // see TestSignals
				signal.Notify(caught, sig)
				defer signal.Stop(caught)
				for range 20 { // the command may end before it receives the signal
					dir := t.TempDir()
					if err := os.Link(array, filepath.Join(dir, "x.b2nd")); err != nil {
						t.Fatal(err)
					}
					args := []string{"-q"}
					for _, arg := range test.args {
						args = append(args, strings.Replace(arg, "DIR", dir, 1))
					}
					if endsBySignal(t, dir, args, test.at, sig) {
						return
					}
				}
				t.Error("always ended before the signal")
			})
		}
	}
}

// endsBySignal runs the command, and sends it a signal once a file exists. It reports
// whether the signal ended the command. It checks that dir then has only the files that
// it had before, out, and a lock file, which the next writer removes.
func endsBySignal(t *testing.T, dir string, args []string, at string, sig syscall.Signal) bool {
	t.Helper()
	before, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("blosc2", args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	var text bytes.Buffer
	cmd.Stderr = &text
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	for running := true; running; {
		select {
		case <-ended:
			if !cmd.ProcessState.Success() {
				t.Fatalf("%q: %v: %s", args, cmd.ProcessState, text.String())
			}
			return false
		case <-time.After(200 * time.Microsecond):
		}
		found, err := filepath.Glob(filepath.Join(dir, at))
		if err != nil {
			t.Fatal(err)
		}
		running = found == nil
	}
	if err := cmd.Process.Signal(sig); err != nil {
		t.Log(err)
	}
	<-ended
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() {
		return false
	}
	if status.Signal() != sig || text.Len() > 0 {
		t.Errorf("%q: %v: %s", args, cmd.ProcessState, text.String())
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	more, err2 := filepath.Glob(filepath.Join(dir, "out", "*"))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	hidden, _ := filepath.Glob(filepath.Join(dir, ".*"))
	for _, name := range append(append(left, more...), hidden...) {
		if base := filepath.Base(name); base != "out" && base != "." && base != ".." && !strings.HasSuffix(base, ".b2lock") && !slices.Contains(before, name) {
			t.Errorf("%q, %v: %s is left", args, sig, name)
		}
	}
	return true
}
