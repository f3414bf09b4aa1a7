package main

import "sync"

// unfinished holds the outputs that have temporary files, to be removed if the
// program ends now.
type unfinished struct {
	mu  sync.Mutex
	all map[*output]bool
}

func (u *unfinished) add(o *output) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all == nil {
		u.all = map[*output]bool{}
	}
	u.all[o] = true
}

func (u *unfinished) remove(o *output) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.all, o)
}

// take removes one of the outputs and returns it, or nil if there is none.
func (u *unfinished) take() *output {
	u.mu.Lock()
	defer u.mu.Unlock()
	for o := range u.all {
		delete(u.all, o)
		return o
	}
	return nil
}
