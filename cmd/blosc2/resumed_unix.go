//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyResumed returns a channel that receives a signal when the program resumes
// after a stop, as by Ctrl-Z.
func notifyResumed() chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGCONT)
	return c
}

func stopResumed(c chan os.Signal) { signal.Stop(c) }
