package main

import (
	"os"
	"path/filepath"
)

// laterMost is the largest output, in bytes, that need not be on disk before it gets
// its name.
const laterMost = 1 << 20

// later reports whether an output may get its name before it is on disk. It may if a
// failure of the machine would lose nothing that cannot be made again: the output
// replaces no file, and its source stays. Waiting for the disk would take longer than
// all other work on a small file, or on a thousand of them. If the sources are removed,
// or there are none, a batch syncs once, before it removes inputs and ends.
func (e *env) later(o *output) bool {
	if o.force || o.like == nil && !e.many {
		return false
	}
	info, err := o.stat()
	if err != nil || info.Size() > laterMost {
		return false
	}
	if o.like != nil && !e.removes {
		return true
	}
	dev, ok := device(info)
	return ok && e.syncsLater(filepath.Dir(o.final), dev)
}

// syncsLater reports whether an output in a folder may be synced when the batch ends:
// all such outputs must be on the same file system.
func (e *env) syncsLater(dir string, dev uint64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.unsynced != "" && dev != e.device {
		return false
	}
	e.unsynced, e.device = dir, dev
	return true
}

// settle syncs the outputs whose sync was postponed.
func (e *env) settle() error {
	if e.unsynced == "" {
		return nil
	}
	f, err := os.Open(e.unsynced)
	if err != nil {
		return err
	}
	defer f.Close()
	e.unsynced = ""
	return syncAll(f)
}
