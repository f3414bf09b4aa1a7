package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// The bar fits into a terminal of any width, and is erased at the end.
func TestTerminalBar(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		term := openTerminal(t, width)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "out")
		cmd := term.command(r, nil, "compress", "-t", "4", "--chunk", "64K", "-o", out)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		r.Close()
		data := bytes.Repeat([]byte("some data, some "), 8<<10)
		feed := func() {
			if _, err := w.Write(data); err != nil {
				t.Fatal(err)
			}
		}
		shown := `[kM]B.*\x1b\[K.*[kM]B.*\x1b\[K`
		if width > 40 {
			shown = `\(standard input\)  \d.*[kMG]B/s  ratio \d`
		}
		term.await(t, shown, feed)

		// Stop and resume the program, as by Ctrl-Z and fg.
		if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		before := strings.Count(term.seen(), "\r")
		for strings.Count(term.seen(), "\r") == before {
			feed()
			time.Sleep(5 * time.Millisecond)
		}
		w.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %q", err, term.seen())
		}
		term.await(t, `ratio [0-9.]+ \(best for balanced: .*, items of 4 bytes; .*\)\r\n$`, func() {})
		bars := strings.Split(strings.TrimSuffix(term.seen(), "\n"), "\r")
		for _, b := range bars[:len(bars)-2] {
			if b = strings.TrimSuffix(b, "\x1b[K"); utf8.RuneCountInString(b) >= width {
				t.Errorf("%d columns where there are %d: %q", utf8.RuneCountInString(b), width, b)
			}
		}
	}
}

// The bar of an object on a server shows how much of it is read.
func TestTerminalBarFar(t *testing.T) {
	data := make([]byte, 40<<20)
	rand.NewChaCha8([32]byte{7}).Read(data)
	object, err := stream.Compress(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(150 * time.Millisecond) // a slow server, so that the bar is drawn several times
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(object))
	}))
	defer srv.Close()
	term := openTerminal(t, 100)
	cmd := term.command(nil, nil, "decompress", "-o", filepath.Join(t.TempDir(), "out"), srv.URL+"/object")
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %q", err, term.seen())
	}
	term.await(t, `/object  \[=+ +\] .* MB/s  +\d+ %  \d+s left`, func() {})
}

// Ctrl-C ends the program by the signal, and removes the output.
func TestTerminalInterrupt(t *testing.T) {
	term := openTerminal(t, 80)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := term.command(r, nil, "compress", "-t", "4", "--chunk", "64K", "-o", filepath.Join(dir, "out"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r.Close()
	data := bytes.Repeat([]byte("some data, some "), 8<<10)
	term.await(t, "[kMG]B/s", func() { w.Write(data) })
	if _, err := term.master.Write([]byte{3}); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	w.Close()
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGINT {
		t.Errorf("%v: %q", cmd.ProcessState, term.seen())
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("%v is left, %v", files, err)
	}
}

// Ctrl-Z stops the program in a shell, and fg continues it.
func TestTerminalStop(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		b2test.Missing(t, "bash")
	}
	term := openTerminal(t, 80)
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := term.command(nil, nil)
	cmd.Path, cmd.Args = shell, []string{"bash", "--norc", "--noprofile", "-i"}
	cmd.Env = append(cmd.Env, "PS1=$ ", "HISTFILE=")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	enter := func(keys string) {
		t.Helper()
		if _, err := term.master.WriteString(keys); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	enter("blosc2 compress -t 4 --chunk 64K -o " + out + " " + pipe + "\n")
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Repeat([]byte("some data, some "), 1<<10)
	size := 0
	feed := func() {
		n, err := w.Write(data)
		if size += n; err != nil {
			t.Fatal(err)
		}
	}
	term.await(t, "[kMG]B/s", feed)
	enter("\x1a")
	term.await(t, "Stopped", func() {})
	enter("fg\n")
	term.await(t, `(?s)Stopped.*fg.*[kMG]B/s`, feed)
	w.Close()
	term.await(t, `ratio [0-9.]+ \(best for balanced`, func() {})
	enter("exit\n")
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %q", err, term.seen())
	}
	f, err := stream.OpenFile(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := io.Copy(io.Discard, f); err != nil || n != int64(size) {
		t.Errorf("%d of %d bytes, %v", n, size, err)
	}
}

// Reading from a terminal, and writing binary data to it, is refused immediately.
func TestTerminalRefusal(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data.f4")
	if err := os.WriteFile(data, make([]byte, 100), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"compress"}, {"-d"}, {"-c", data}, {"compress", "-o", "-", data}, {"cat", "--raw", data}, {"slice", data, "0"}} {
		term := openTerminal(t, 80)
		cmd := term.command(nil, nil, args...)
		err := cmd.Run()
		if status := cmd.ProcessState.ExitCode(); status != exitMisuse {
			t.Errorf("%q: exit status %d, %v: %q", args, status, err, term.seen())
		}
		term.await(t, "blosc2:", func() {})
	}
}

// On a terminal cat prints a table and errors are coloured, unless NO_COLOR is set.
func TestTerminalLooks(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data.u1")
	if err := os.WriteFile(data, []byte("0123456789"), 0o666); err != nil {
		t.Fatal(err)
	}
	term := openTerminal(t, 30)
	if err := term.command(nil, nil, "cat", data).Run(); err != nil {
		t.Error(err)
	}
	term.await(t, `0  48  49  50  51  52\r\n5  53`, func() {})
	term.command(nil, nil, "info", data+"x").Run()
	term.await(t, `\x1b\[31mblosc2:\x1b\[0m .*no such file`, func() {})

	term = openTerminal(t, 30)
	cmd := term.command(nil, nil, "info", data+"x")
	cmd.Env = append(cmd.Env, "NO_COLOR=1")
	cmd.Run()
	term.await(t, `no such file`, func() {})
	if strings.Contains(term.seen(), "\x1b") {
		t.Errorf("%q", term.seen())
	}
}

// The time during which the program was stopped is not counted.
func TestBarStopped(t *testing.T) {
	term := openTerminal(t, 80)
	e := &env{stderr: term.slave}
	long := time.Now().Add(-time.Hour)
	b := &bar{e: e, what: "x", total: 100, shown: long, rated: long}
	b.draw(10, 10, 0)
	if b.elapsed != 0 || b.rate != 0 || time.Since(b.shown) > time.Minute {
		t.Errorf("%v went by, %v bytes per second, at %v", b.elapsed, b.rate, b.shown)
	}
	b.shown, b.rated = b.shown.Add(-time.Second), b.rated.Add(-time.Second)
	b.draw(50, 50, 0)
	if b.elapsed < time.Second || b.elapsed > time.Minute || b.rate > 40 || b.rate < 1 {
		t.Errorf("%v went by, %v bytes per second", b.elapsed, b.rate)
	}
}

// view shows the array, follows keys, and restores the screen when it ends.
func TestTerminalView(t *testing.T) {
	term := openTerminal(t, 80)
	cmd := term.command(nil, nil, "view", cube(t))
	cmd.Env = append(cmd.Env, "LANG=C.UTF-8")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	press := func(keys, shown string) {
		t.Helper()
		if _, err := term.master.WriteString(keys); err != nil {
			t.Fatal(err)
		}
		term.await(t, shown, func() {})
	}
	press("", `cube\.b2nd`)
	press("i", "▀")
	press("l", "row 0")
	press("j", "row .*1")
	press("h", "palette") // spaces that did not change are not written again
	press("hq", `\x1b\[\?1049l`)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %q", err, term.seen())
	}
}

// view shows rows that are appended to a file, without a key press.
func TestTerminalViewFollows(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		name, add := growing(t)
		add(5)
		term := openTerminal(t, width)
		cmd := term.command(nil, nil, "view", name)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		term.await(t, `-4\b`, func() {})
		add(7)
		term.await(t, `-11\b`, func() {})
		if _, err := term.master.WriteString("q"); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %q", err, term.seen())
		}
	}
}

// On a terminal plot queries how pictures can be shown, and uses that method.
func TestTerminalPlot(t *testing.T) {
	for _, c := range []struct{ answer, want string }{
		{"\x1b_Gi=31;OK\x1b\\\x1b[?62c", `\x1b_Ga=T,f=100,`},
		{"\x1b[?62;4c", `\x1bP[0-9;]*q`},
		{"\x1b[?62c", "▀"},
		{"", "▀"},
	} {
		term := openTerminal(t, 80)
		cmd := term.command(nil, nil, "plot", cube(t), "0")
		cmd.Env = append(cmd.Env, "LANG=C.UTF-8", "COLORTERM=truecolor")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		term.await(t, `\x1b\[c`, func() {})
		if _, err := term.master.WriteString(c.answer); err != nil {
			t.Fatal(err)
		}
		term.await(t, c.want, func() {})
		if err := cmd.Wait(); err != nil {
			t.Errorf("%q: %v: %q", c.answer, err, term.seen())
		}
	}
	for _, env := range []string{"NO_COLOR=1", "LANG=C", "TERM=dumb"} {
		term := openTerminal(t, 80)
		cmd := term.command(nil, nil, "plot", cube(t), "0")
		cmd.Env = append(cmd.Env, env)
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v", env, err)
		}
		term.await(t, "dimension 2", func() {})
		if strings.ContainsAny(term.seen(), "\x1b▀×") {
			t.Errorf("%s: %q", env, term.seen())
		}
	}
}
