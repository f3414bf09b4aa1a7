package main

import (
	"os"
	"time"
)

// setAttributes sets the owner, the group and the mode of an output to those of its
// source. If the owner cannot be set, it keeps the current one. If the group cannot be
// set, it removes the permissions of the group.
func (o *output) setAttributes() {
	if o.like == nil || o.final == "" {
		return
	}
	mode := o.like.Mode().Perm()
	if !o.setOwner() {
		mode &^= 0o070
	}
	if o.info == nil || o.info.Mode().Perm() != mode {
		_ = o.File.Chmod(mode)
	}
}

// setModTime sets the modification time of an output to that of its source.
func (o *output) setModTime() {
	if o.like != nil && o.final != "" {
		_ = os.Chtimes(o.final, time.Time{}, o.like.ModTime())
	}
}

// claim reserves the output name final for one input of a batch. It reports whether no
// earlier input has reserved the name, because outputs must not replace each other.
func (e *env) claim(final string) bool {
	if !e.many {
		return true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.made == nil {
		e.made = map[string]bool{}
	}
	twice := e.made[final]
	e.made[final] = true
	return !twice
}
