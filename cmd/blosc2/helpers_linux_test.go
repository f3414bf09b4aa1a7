package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

func openTerminal(t *testing.T, width int) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		b2test.Missing(t, "a pseudo-terminal: "+err.Error())
	}
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(width)})
	}
	if err != nil {
		b2test.Missing(t, "a pseudo-terminal: "+err.Error())
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		b2test.Missing(t, "a pseudo-terminal: "+err.Error())
	}
	term := &terminal{master: master, slave: slave, done: make(chan struct{})}
	go func() {
		defer close(term.done)
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			term.mu.Lock()
			term.text.Write(buf[:n])
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		slave.Close()
		master.Close()
	})
	return term
}

func put(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// A terminal is a pseudo-terminal and the output of a program to it.
type terminal struct {
	master, slave *os.File
	mu            sync.Mutex
	text          bytes.Buffer
	done          chan struct{}
}

// command returns the program with the terminal as its own; if in or out is nil, it
// is the terminal.
func (term *terminal) command(in, out *os.File, args ...string) *exec.Cmd {
	cmd := exec.Command("blosc2", args...)
	cmd.Env = append(os.Environ(), "TERM=xterm", "LANG=", "LC_ALL=", "PAGER=cat")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = term.slave, term.slave, term.slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 2}
	if in != nil {
		cmd.Stdin = in
	}
	if out != nil {
		cmd.Stdout = out
	}
	return cmd
}

func (term *terminal) seen() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.text.String()
}

// await waits until the terminal shows a match. It calls a function while it waits.
func (term *terminal) await(t *testing.T, pattern string, meanwhile func()) {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(30 * time.Second); !re.MatchString(term.seen()); {
		if time.Now().After(deadline) {
			t.Fatalf("no %s in %q", pattern, term.seen())
		}
		meanwhile()
		time.Sleep(5 * time.Millisecond)
	}
}
