//go:build !unix

package main

import "os"

// notifyResumed does nothing, because the system does not stop and resume programs.
func notifyResumed() chan os.Signal { return nil }

func stopResumed(chan os.Signal) {}
