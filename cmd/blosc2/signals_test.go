//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A signal ends the program as that signal, whether or not the output has a name,
// and removes the output or, with --keep-partial, keeps its valid beginning.
func TestSignals(t *testing.T) {
	data := bytes.Repeat([]byte("some data, some "), 3<<16)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		// Under nohup, or in the background of a script, the test runs with signals
		// ignored, which the command would inherit.
		caught := make(chan os.Signal, 1)
		signal.Notify(caught, sig)
		defer signal.Stop(caught)
		for _, keep := range []bool{false, true} {
			dir := t.TempDir()
			out := filepath.Join(dir, "out")
			args := []string{"compress", "-q", "-t", "4", "-j", "1", "-o", out}
			if keep {
				args = append(args, "--keep-partial")
			}
			cmd := exec.Command("blosc2", args...)
			var text strings.Builder
			cmd.Stderr = &text
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// Write returns once the program reads and has opened the output, because
			// data is larger than a pipe's buffer.
			if _, err := in.Write(data); err != nil {
				t.Fatal(err)
			}
			if keep { // wait until a chunk is written
				for deadline := time.Now().Add(10 * time.Second); allBytes(dir) == 0 && time.Now().Before(deadline); {
					time.Sleep(time.Millisecond)
				}
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			in.Close()
			if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != sig {
				t.Errorf("%v, keep %v: %v: %s", sig, keep, cmd.ProcessState, text.String())
			}
			files, err := os.ReadDir(dir)
			switch {
			case err != nil:
				t.Fatal(err)
			case !keep && len(files) != 0, keep && (len(files) != 1 || files[0].Name() != "out"):
				t.Errorf("%v, keep %v: %v is left", sig, keep, files)
			case keep:
				back, err := exec.Command("blosc2", "decompress", "--keep-partial", "-o", out+".back", out).CombinedOutput()
				if b, _ := os.ReadFile(out + ".back"); len(b) < 1<<20 || !bytes.HasPrefix(data, b) {
					t.Errorf("%v: %d bytes are left of %d: %v: %s", sig, len(b), len(data), err, back)
				}
				if want := "blosc2: " + out + ": " + sig.String() + " signal received\n"; text.String() != want {
					t.Errorf("%v: %q, want %q", sig, text.String(), want)
				}
			}
		}
	}
}

// A signal undoes what was appended to a frame or an array.
func TestSignalsAppend(t *testing.T) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt)
	defer signal.Stop(caught)
	data := bytes.Repeat([]byte("some data, some "), 3<<16)
	for _, shape := range [][]string{nil, {"--shape=-1,16", "--dtype", "u1", "--chunks", "1000,16"}} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		args := append([]string{"compress", "-q", "-1", "-t", "1", "-o", out}, shape...)
		if shape == nil {
			args = append(args, "--chunk", "16K")
		}
		first := exec.Command("blosc2", args...)
		first.Stdin = bytes.NewReader(data[:160_160])
		if text, err := first.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		before, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("blosc2", append(args, "--append")...)
		var text strings.Builder
		cmd.Stderr = &text
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write(data); err != nil {
			t.Fatal(err)
		}
		changed := int64(len(before))
		for deadline := time.Now().Add(10 * time.Second); changed <= int64(len(before)) && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
			if info, err := os.Stat(out); err == nil {
				changed = info.Size()
			}
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		in.Close()
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGINT {
			t.Errorf("%q: %v: %s", shape, cmd.ProcessState, text.String())
		}
		if want := "blosc2: " + out + ": interrupt signal received\n"; text.String() != want {
			t.Errorf("%q: %q, want %q", shape, text.String(), want)
		}
		if after, err := os.ReadFile(out); err != nil || changed <= int64(len(before)) || !bytes.Equal(after, before) {
			t.Errorf("%q: %d bytes, then %d, and then %d: %v", shape, len(before), changed, len(after), err)
		}
	}
}

// allBytes returns the bytes of all files of a folder.
func allBytes(dir string) (n int64) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			n += info.Size()
		}
	}
	return n
}
