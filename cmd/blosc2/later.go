package main

import "os"

// laterMost is the most bytes of an output that a batch brings to the disk
// together with others.
const laterMost = 1 << 20

// later reports whether an output need not be on the disk before it gets its
// name. Waiting for each of a thousand small files takes longer than all else:
// a batch waits once, before it removes inputs and ends. After a failure of the
// machine until then, such files may have lost what is in them, which is why none
// of them replaces another file.
func (e *env) later(o *output) bool {
	if !e.many || o.force {
		return false
	}
	info, err := o.File.Stat()
	if err != nil || info.Size() > laterMost {
		return false
	}
	dev, ok := device(info)
	e.mu.Lock()
	defer e.mu.Unlock()
	if !ok || e.unsynced != "" && dev != e.device {
		return false
	}
	e.unsynced, e.device = o.final, dev
	return true
}

// settle brings to the disk what was put off.
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
