//go:build unix

package main

import (
	"bytes"
	"context"
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

// A signal undoes what a file has appended to a frame or an array, at any moment.
func TestSignalsAppend(t *testing.T) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt)
	defer signal.Stop(caught)
	dir := t.TempDir()
	out, in := filepath.Join(dir, "out"), filepath.Join(dir, "in")
	data := bytes.Repeat([]byte("some data, some "), 1<<16)
	for i := range data {
		data[i] ^= byte(i >> 12)
	}
	if err := os.WriteFile(in, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, form := range [][]string{
		{"-t", "1", "--chunk", "16K"},
		{"--shape=-1,16", "--dtype", "u1", "--chunks", "1000,16"},
	} {
		args := append([]string{"compress", "-q", "--auto", "off", "-1", "-o", out}, form...)
		first := exec.Command("blosc2", append(args, "--force")...)
		first.Stdin = bytes.NewReader(data[:160_160])
		if text, err := first.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		before, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, "--append", in)
		start := time.Now()
		if text, err := exec.Command("blosc2", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		took := time.Since(start)
		after, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		undone := 0
		for n := range 60 {
			if err := os.WriteFile(out, before, 0o666); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			cmd := exec.CommandContext(ctx, "blosc2", args...)
			var text strings.Builder
			cmd.Stderr = &text
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(took * time.Duration(n) / 50)
			cmd.Process.Signal(os.Interrupt)
			cmd.Wait()
			cancel()
			got, err := os.ReadFile(out)
			ok := bytes.Equal(got, before)
			if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() {
				ok = status.ExitStatus() == 0 && bytes.Equal(got, after)
			} else if text.Len() > 0 {
				undone++
				ok = ok && text.String() == "blosc2: "+out+": interrupt signal received\n"
			}
			if err != nil || !ok {
				t.Errorf("%q, %d: %d bytes, before %d, appended to %d: %v, %v, %s", form, n, len(got), len(before), len(after), err, cmd.ProcessState, text.String())
			}
		}
		t.Logf("%q: %d of 60 were undone", form, undone)
	}
}

// A signal during the first append leaves no file, or comes too late: a script that sees the
// signal's status may append again.
func TestSignalsAppendNew(t *testing.T) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt)
	defer signal.Stop(caught)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	for _, size := range []int{40_000, 2 << 20} { // in memory, and while it is read
		if err := os.WriteFile(in, bytes.Repeat([]byte("some data, some "), size/16), 0o666); err != nil {
			t.Fatal(err)
		}
		var took time.Duration
		for n := range 40 {
			os.Remove(out)
			cmd := exec.Command("blosc2", "compress", "-q", "--append", "-t", "1", "-o", out, in)
			start := time.Now()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if n > 0 { // the first one shows how long it takes
				time.Sleep(took * time.Duration(n) / 40)
				cmd.Process.Signal(os.Interrupt)
			}
			cmd.Wait()
			if n == 0 {
				took = time.Since(start)
			}
			_, err := os.Stat(out)
			if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() == (err == nil) || !status.Signaled() && status.ExitStatus() != 0 {
				t.Errorf("%d bytes, %d: %v, %v", size, n, cmd.ProcessState, err)
			}
		}
	}
}

// What a pipe has appended before a signal stays.
func TestSignalsAppendPipe(t *testing.T) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt)
	defer signal.Stop(caught)
	out := filepath.Join(t.TempDir(), "out")
	data := bytes.Repeat([]byte("some data, some "), 3<<16)
	args := []string{"compress", "-q", "--append", "--shape=-1,16", "--dtype", "u1", "--chunks", "1000,16", "-o", out}
	first := exec.Command("blosc2", args...)
	first.Stdin = bytes.NewReader(data[:160_160])
	if text, err := first.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	cmd := exec.Command("blosc2", args...)
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
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if n, err := arrayRows(out); err == nil && n > 100_000 {
			break
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	in.Close()
	if n, err := arrayRows(out); err != nil || n <= 100_000 {
		t.Errorf("%d rows, want more than 100000, %v", n, err)
	}
	for _, verb := range []string{"seal", "verify"} {
		if text, err := exec.Command("blosc2", verb, out).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", verb, err, text)
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
