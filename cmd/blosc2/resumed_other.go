//go:build !unix

package main

import "os"

// notifyResumed is for systems where programs are stopped and go on.
func notifyResumed() chan os.Signal { return nil }

func stopResumed(chan os.Signal) {}
