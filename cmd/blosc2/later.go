package main

import (
	"os"
	"path/filepath"
)

// laterMost is the largest output, in bytes, that a batch syncs together with
// others.
const laterMost = 1 << 20

// later reports whether an output may get its name before it is synced. Syncing
// each of a thousand small files takes longer than all other work, so a batch syncs
// once, before it removes inputs and ends. If the machine fails before that, such
// files may lose their contents, so they must not replace other files.
func (e *env) later(o *output) bool {
	if !e.many || o.force {
		return false
	}
	info, err := o.stat()
	if err != nil || info.Size() > laterMost {
		return false
	}
	dev, ok := device(info)
	return ok && e.syncsLater(filepath.Dir(o.final), dev)
}

// syncsLater reports whether an output in a folder may be synced later. All such
// outputs must be on the same file system.
func (e *env) syncsLater(dir string, dev uint64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.unsynced != "" && dev != e.device {
		return false
	}
	e.unsynced, e.device = dir, dev
	return true
}

// settle syncs the outputs that were not synced before.
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
