package main

import (
	"os"
	"path/filepath"
)

// maxUnsynced is the largest output, in bytes, that may get its name before it is on
// disk.
const maxUnsynced = 1 << 20

// maySyncLate reports whether an output may get its name before it is on disk. It may
// if a failure of the machine would lose nothing that cannot be made again: the output
// replaces no file, and its source stays. Waiting for the disk would take longer than
// all other work on a small file, or on a thousand of them. If the sources are removed,
// or there are none, a batch syncs once, before it removes inputs and ends.
func (e *env) maySyncLate(o *output) bool {
	if o.force || o.like == nil && !e.many {
		return false
	}
	info, err := o.stat()
	if err != nil || info.Size() > maxUnsynced {
		return false
	}
	if o.like != nil && !e.removes {
		return true
	}
	dev, ok := device(info)
	return ok && e.joinsSync(filepath.Dir(o.final), dev)
}

// joinsSync reports whether an output in a folder can be synced with the others at the
// end of the batch: all such outputs must be on the same file system.
func (e *env) joinsSync(dir string, dev uint64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.unsynced != "" && dev != e.device {
		return false
	}
	e.unsynced, e.device = dir, dev
	return true
}

// syncDeferred syncs the outputs whose sync was postponed.
func (e *env) syncDeferred() error {
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
