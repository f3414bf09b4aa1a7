//go:build !wasip1

package main

import (
	"os"
	"path/filepath"
	"slices"
	"time"
)

// followEvery is the interval at which the viewer checks whether a file has changed.
const followEvery = 500 * time.Millisecond

// A follower is a page that shows the current state of a file.
type follower interface {
	// follow reads the file again if it has changed, and reports whether it has.
	follow() bool
}

// A stamp identifies the state of a file.
type stamp struct {
	size int64
	mod  time.Time
}

// stampOf returns the stamp of a file. For a sparse frame it returns the stamp of the
// index, which changes with every chunk. It returns the zero stamp for a file that
// cannot be followed.
func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		info, err = os.Stat(filepath.Join(name, "chunks.b2frame"))
	}
	if err != nil || !info.Mode().IsRegular() {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}

// mostParsed is the largest text that is parsed again when it has changed, in bytes.
const mostParsed = 16 << 20

// follow implements follower. If the last row was visible, the new last row becomes
// visible, and a line that reached the end is extended to the new end. A file that
// cannot be read because it is being written is read again later.
func (p *arrayPage) follow() bool {
	now := stampOf(p.v.name)
	if p.reopen == nil || now == p.stamp || now == (stamp{}) || p.v.kind == kindCSV && now.size > mostParsed {
		return false
	}
	v, err := p.reopen()
	if err != nil {
		return false
	}
	old := p.v
	was, wasRows := slices.Clone(old.shape), p.rows
	p.v, p.stamp, p.drawn = v, now, picture{}
	old.Close()
	if len(v.shape) != len(was) { // the file now holds another array
		fresh := newArrayPage(v)
		p.at, p.left, p.dim, p.from, p.to = fresh.at, 0, 0, fresh.from, fresh.to
		return true
	}
	for d := range p.at {
		if d == p.rowDim() && p.at[d]+wasRows >= was[d] && was[d] > 0 {
			p.at[d] += v.shape[d] - was[d]
		}
		p.at[d] = min(max(p.at[d], 0), max(v.shape[d]-1, 0))
	}
	d := max(p.colDim(), p.rowDim())
	if d < 0 {
		return true
	}
	if grown := v.shape[d] - was[d]; p.to == was[d] {
		p.to += grown
		if p.from > 0 {
			p.from += grown
		}
	}
	p.to = min(max(p.to, 1), max(v.shape[d], 1))
	p.from = min(max(p.from, 0), p.to-1)
	return true
}
