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

// defaultPager leaves at once what fits on the screen, and cuts no lines.
const defaultPager = "less -FRSX"

// A pager shows what is written to it, screen by screen.
type pager struct {
	io.WriteCloser
	cmd *exec.Cmd
}

// newPager starts the pager that the environment names; nil where there is none.
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
	signal.Ignore(os.Interrupt) // it is for the pager
	return &pager{in, cmd}
}

// end waits until the pager is left.
func (p *pager) end() {
	p.Close()
	_ = p.cmd.Wait()
}

// left reports whether an error of writing means that the pager was left before
// the end.
func left(err error) bool { return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) }
