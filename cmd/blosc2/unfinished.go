package main

import "sync"

// unfinished holds what must be dropped if the program ends now: outputs that have temporary
// files, and changes of files.
type unfinished struct {
	mu  sync.Mutex
	all map[dropper]bool
}

// A dropper is a part of unfinished.
type dropper interface {
	drop() error
	called() string // the name for a message, or "" for none
}

func (u *unfinished) add(o dropper) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all == nil {
		u.all = map[dropper]bool{}
	}
	u.all[o] = true
}

// remove reports whether o was still there.
func (u *unfinished) remove(o dropper) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	had := u.all[o]
	delete(u.all, o)
	return had
}

// take removes one of the parts and returns it, or nil if there is none.
func (u *unfinished) take() dropper {
	u.mu.Lock()
	defer u.mu.Unlock()
	for o := range u.all {
		delete(u.all, o)
		return o
	}
	return nil
}
