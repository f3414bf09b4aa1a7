package main

import "sync"

// unfinished holds what must be discarded if the program ends now: outputs that have
// temporary files, and changes of files.
type unfinished struct {
	mu  sync.Mutex
	all map[discarder]bool
}

// A discarder is a part of unfinished.
type discarder interface {
	discard() (kept bool)
	called() string // the name for messages
}

func (u *unfinished) add(o discarder) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all == nil {
		u.all = map[discarder]bool{}
	}
	u.all[o] = true
}

func (u *unfinished) remove(o discarder) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.all, o)
}

// take removes one of the parts and returns it, or nil if there is none.
func (u *unfinished) take() discarder {
	u.mu.Lock()
	defer u.mu.Unlock()
	for o := range u.all {
		delete(u.all, o)
		return o
	}
	return nil
}
