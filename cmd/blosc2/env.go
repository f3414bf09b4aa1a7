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
	stdin   *os.File
	stdout  *os.File
	stderr  *os.File
	quiet   bool
	open    atomic.Pointer[output] // the unfinished file, for signals
	watched sync.Once              // signals
	ending  atomic.Bool            // a signal has come

	link func(f *os.File, name string) error // gives a file without a name one that must not exist yet
}

// isTerminal tells whether a person sits at the other end of f.
func (e *env) isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// report writes one line about a failure.
func (e *env) report(err error) {
	fmt.Fprintf(e.stderr, "blosc2: %s\n", strings.TrimPrefix(err.Error(), "blosc2: "))
}

// note writes one line that is no failure.
func (e *env) note(format string, args ...any) {
	if !e.quiet {
		fmt.Fprintf(e.stderr, "blosc2: "+format+"\n", args...)
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
			if o := e.open.Swap(nil); o != nil {
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
