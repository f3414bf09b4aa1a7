//go:build !linux

package main

import "time"

// cpuTime returns the elapsed time.
func cpuTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
