package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// defaultPager exits immediately if the text fits on the screen, and does not
// wrap lines.
const defaultPager = "less -FRSX"

// A pager shows its input a screen at a time.
type pager struct {
	io.WriteCloser
	cmd *exec.Cmd
}

// newPager starts the pager that the environment names, or returns nil if it names
// none.
func (e *env) newPager() *pager {
	words := strings.Fields(defaultPager)
	if text, ok := os.LookupEnv("PAGER"); ok {
		words = strings.Fields(text)
	}
	if len(words) == 0 || words[0] == "cat" {
		return nil
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdout, cmd.Stderr = e.stdout, e.stderr
	in, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return nil
	}
	signal.Ignore(os.Interrupt) // the pager handles interrupts
	return &pager{in, cmd}
}

// end waits until the pager exits.
func (p *pager) end() {
	p.Close()
	_ = p.cmd.Wait()
}

// left reports whether a write error means that the pager exited early.
func left(err error) bool { return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) }
