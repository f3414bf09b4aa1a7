package main

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

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

// watchSignals makes an interrupt remove the unfinished output and end the
// program, even while it waits for input. It is for outputs that do not go away
// by themselves: to watch takes as long as to compress half a megabyte.
func (e *env) watchSignals() {
	e.watched.Do(func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		go func() {
			s := <-signals
			if o := e.open.Swap(nil); o != nil {
				o.discard()
				e.report(about(o.name, fmt.Errorf("%v signal received", s)))
			}
			os.Exit(interrupted)
		}()
	})
}

// interrupted is the exit status after a signal, as a shell would give it.
const interrupted = 128 + int(syscall.SIGINT)
