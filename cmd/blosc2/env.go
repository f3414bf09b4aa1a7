package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// An env is the environment of a verb: its streams, global flags and open outputs.
type env struct {
	stores   map[string]*openStore // the stores that are single files, by their names
	storesMu sync.Mutex

	stdin    *os.File
	stdout   *os.File
	stderr   *os.File
	called   string // the name of the program if it is not blosc2
	quiet    bool
	verbose  bool
	noBar    bool
	endpoint string          // the URL of a store that is not Amazon's
	ascii    bool            // the locale supports only ASCII
	many     bool            // there are several inputs; a line for each is printed only if verbose
	removes  bool            // the inputs are removed when they are done
	mu       sync.Mutex      // guards made, unsynced, device and drivers
	made     map[string]bool // the names of the outputs of a batch

	unsynced string // a folder with outputs of a batch that may not be on disk yet, or ""
	device   uint64 // the number of the file system of these outputs

	drivers map[string]*driver.Client // the drivers of stores, by the scheme of their URLs

	open    unfinished  // what to drop when a signal arrives
	watched sync.Once   // starts watching for signals
	ending  atomic.Bool // a signal has arrived
	signal  sync.Mutex  // is held while a signal must wait, or after it has arrived
	held    bool        // by holdSignals

	bar atomic.Pointer[bar] // the bar that is shown, or nil

	link func(fd uintptr, name string) error // links an unnamed file to a name, which must not exist
}

// isTerminal reports whether f is a terminal.
func (e *env) isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// report writes one line about a failure.
func (e *env) report(err error) {
	text := shown(strings.TrimPrefix(err.Error(), "blosc2: "))
	e.clearBar()
	fmt.Fprintf(e.stderr, "%s %s\n", e.paint(e.stderr, red, "blosc2:"), e.local(text))
}

// note writes one line that is not a failure.
func (e *env) note(format string, args ...any) {
	if !e.quiet {
		e.clearBar()
		fmt.Fprintf(e.stderr, "blosc2: %s\n", e.local(shown(fmt.Sprintf(format, args...))))
	}
}

// clearBar erases the bar, if one is shown, from the line that is written next.
func (e *env) clearBar() {
	if b := e.bar.Load(); b != nil {
		b.clear()
	}
}

// watchSignals makes an interrupt remove the unfinished output, or undo the change of a
// file, before it ends the program, even while the program waits for input. It is used
// only for outputs with temporary names and for changes, since it costs as much time as
// compressing half a megabyte. Otherwise an interrupt ends the program immediately, as by
// default.
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
			e.signal.Lock()
			e.ending.Store(true)
			for o := e.open.take(); o != nil; o = e.open.take() {
				text := fmt.Sprintf("%v signal received", s)
				if err := o.drop(); err != nil {
					text += "; " + err.Error()
				}
				if name := o.called(); name != "" {
					e.report(withName(name, errors.New(text)))
				}
			}
			fsio.RemoveTemporary()
			die(s)
		}()
	})
}

// holdSignals makes signals wait, and waits for the end of the program if one has arrived.
// Only verbs that process one input at a time may call it.
func (e *env) holdSignals() {
	if !e.held {
		e.signal.Lock()
		e.held = true
	}
}

// releaseSignals ends holdSignals.
func (e *env) releaseSignals() {
	if e.held {
		e.held = false
		e.signal.Unlock()
	}
}

// awaitEnd waits for the end of the program if a signal has arrived. A failure may then
// be a consequence of the signal, whose handler closes the output.
func (e *env) awaitEnd() {
	if e.ending.Load() {
		select {}
	}
}

// die ends the program with the signal, by which a shell recognizes that it must end a
// loop too. On systems without signals it ends the program with the corresponding exit
// status.
func die(s os.Signal) {
	signal.Reset(s)
	if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
		time.Sleep(time.Second) // the signal is being delivered
	}
	status := exitFailed
	if n, ok := s.(syscall.Signal); ok {
		status = 128 + int(n)
	}
	os.Exit(status)
}
