package main

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"
)

// An env is what a verb finds around it.
type env struct {
	stdin    *os.File
	stdout   *os.File
	stderr   *os.File
	called   string // the name of the program, if it is another than blosc2
	quiet    bool
	verbose  bool
	noBar    bool
	endpoint string          // of a store that is not Amazon's
	ascii    bool            // the locale shows nothing else
	many     bool            // files of a batch, of which each gets a line only if verbose
	mu       sync.Mutex      // for what follows
	made     map[string]bool // outputs of a batch

	unsynced string // an output of a batch that may not be on the disk yet, or ""
	device   uint64 // the file system of such outputs

	open    unfinished  // outputs, for signals
	watched sync.Once   // signals
	ending  atomic.Bool // a signal has come

	link func(f *os.File, name string) error // gives a file without a name one that must not exist yet
}

// isTerminal reports whether f is a terminal.
func (e *env) isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// report writes one line about a failure.
func (e *env) report(err error) {
	text := shown(strings.TrimPrefix(err.Error(), "blosc2: "))
	fmt.Fprintf(e.stderr, "%s %s\n", e.paint(e.stderr, red, "blosc2:"), e.local(text))
}

// note writes one line that is no failure.
func (e *env) note(format string, args ...any) {
	if !e.quiet {
		fmt.Fprintf(e.stderr, "blosc2: %s\n", e.local(shown(fmt.Sprintf(format, args...))))
	}
}

// watchSignals makes an interrupt remove the unfinished output before it ends
// the program, even while that waits for input. It is for outputs that do not go
// away by themselves: to watch takes as long as to compress half a megabyte.
// Without it an interrupt ends the program at once, as it does most programs.
func (e *env) watchSignals() {
	e.watched.Do(func() {
		signals := make(chan os.Signal, 1)
		for _, s := range endings {
			if !signal.Ignored(s) {
				signal.Notify(signals, s)
			}
		}
		go func() {
			s := <-signals
			e.ending.Store(true)
			for o := e.open.take(); o != nil; o = e.open.take() {
				o.discard()
				e.report(about(o.name, fmt.Errorf("%v signal received", s)))
			}
			die(s)
		}()
	})
}

// awaitEnd leaves the end to a signal that has come, whose closing of the output
// may be all that has failed.
func (e *env) awaitEnd() {
	if e.ending.Load() {
		select {}
	}
}

// die ends the program by a signal, so that a shell sees it and ends its loop
// too; where there is no such thing, with the exit status that stands for it.
func die(s os.Signal) {
	signal.Reset(s)
	if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
		time.Sleep(time.Second) // it is on its way
	}
	status := exitFailed
	if n, ok := s.(syscall.Signal); ok {
		status = 128 + int(n)
	}
	os.Exit(status)
}
