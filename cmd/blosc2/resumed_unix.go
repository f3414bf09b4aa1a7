//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyResumed returns what gets a signal when the program goes on after it was
// stopped, as by Ctrl-Z.
func notifyResumed() chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGCONT)
	return c
}

func stopResumed(c chan os.Signal) { signal.Stop(c) }
