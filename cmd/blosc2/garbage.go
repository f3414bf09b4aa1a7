package main

import (
	"cmp"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// A gcPace controls how much garbage may accumulate, in percent of the memory in use.
type gcPace struct {
	mu   sync.Mutex
	then int // the percentage after the first collection
}

var garbage gcPace

// delay delays the first garbage collection from 4 MiB to 16 MiB of memory, which most
// runs do not reach. A collection takes as long as compressing a megabyte. Later
// collections are not delayed.
func (g *gcPace) delay() {
	if os.Getenv("GOGC") != "" {
		return
	}
	g.then = debug.SetGCPercent(400)
	runtime.AddCleanup(new([32]byte), func(int) { g.set(0) }, 0)
}

// set sets the percentage. If percent is 0 it restores the previous one.
func (g *gcPace) set(percent int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.then = cmp.Or(percent, g.then)
	debug.SetGCPercent(g.then)
}
