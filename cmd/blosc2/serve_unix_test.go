//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A server answers until an interrupt. The interrupt also ends connections that wait
// for events, and the exit status is 0.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.b2nd")
	items := bytes.Repeat([]byte{1, 2, 3, 4}, 6)
	if err := os.WriteFile(filepath.Join(dir, "a.raw"), items, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("blosc2", "compress", "-q", "--shape", "2,3", "--dtype", "i4", "-o", name, filepath.Join(dir, "a.raw")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, c := range []struct {
		names []string
		path  string // path of the array
	}{{[]string{dir}, "a.b2nd"}, {[]string{name}, "a.b2nd"}, {[]string{name, dir}, filepath.Base(dir) + "/a.b2nd"}} {
		cmd := exec.Command("blosc2", append([]string{"serve", "--addr", "localhost:0", "--watch"}, c.names...)...)
		var complaints strings.Builder
		cmd.Stderr = &complaints
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			cmd.Wait()
			t.Fatalf("%v: %s", err, complaints.String())
		}
		base := strings.TrimSpace(line)
		for path, want := range map[string]string{"a/" + c.path + "?format=raw": string(items), "info/" + c.path: `"schema":"blosc2.info/1"`, "tree/": `"entries"`} {
			resp, err := http.Get(base + path)
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != 200 || !strings.Contains(string(b), want) {
				t.Errorf("%s: %s, %v: %q", path, resp.Status, err, b)
			}
		}
		events, err := http.Get(base + "events/" + c.path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := events.Body.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
		cmd.Process.Signal(syscall.SIGINT)
		if _, err := io.ReadAll(events.Body); err != nil {
			t.Errorf("the events end with %v", err)
		}
		events.Body.Close()
		if err := cmd.Wait(); err != nil || complaints.Len() > 0 {
			t.Errorf("%v: %v: %s", c.names, err, complaints.String())
		}
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	}
}

// A window of a chunk with a flipped bit is an error, except with --check never. A
// second server at the same address says what to do.
func TestServeDamage(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.b2frame")
	cmd := exec.Command("blosc2", "compress", "-q", "-l", "0", "--dtype", "u1", "-o", name)
	data := bytes.Repeat([]byte("0123456789"), 30<<10)
	cmd.Stdin = bytes.NewReader(data)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	for check, want := range map[string]int{"auto": 0, "never": 300 << 10} {
		cmd := exec.Command("blosc2", "serve", "--addr", "localhost:0", "--check", check, name)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSpace(line)
		got := 0
		for at := 0; at < len(data); at += 10 << 10 {
			resp, err := http.Get(fmt.Sprintf("%sa/a.b2frame?format=raw&window=%d:%d", base, at, at+10<<10))
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err == nil && resp.StatusCode == 200 {
				got += len(b)
			}
		}
		if got != want {
			t.Errorf("--check %s: %d bytes are answered, want %d", check, got, want)
		}
		address := strings.TrimSuffix(strings.TrimPrefix(base, "http://"), "/")
		second, err := exec.Command("blosc2", "serve", "--addr", address, name).CombinedOutput()
		if err == nil || !strings.Contains(string(second), "--addr") || !strings.Contains(string(second), address) {
			t.Errorf("a second server: %v: %s", err, second)
		}
		cmd.Process.Signal(syscall.SIGINT)
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	}
}
