package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
)

// describePlain describes a file that is not compressed.
func (c *infoCmd) describePlain(e *env, name string) (d description, err error) {
	p, err := e.openPlain(name, c.DType)
	if err != nil {
		return d, withName(name, err)
	}
	defer p.close()
	if !c.Stats { // the statistics report these bytes too
		e.noteRest(name, p.rest, p.dtype)
	}
	n := item.Count(p.shape) * int64(p.dtype.Size)
	d = description{File: name, Kind: p.kind, NBytes: n, DType: p.dtype.String(), TypeSize: p.dtype.Size, Shape: p.shape, stored: n}
	if file, member := splitMember(name); member == "" {
		if info, err := os.Stat(file); err == nil {
			d.stored = info.Size()
		}
	}
	d.CBytes = d.stored
	d.Ratio = ratio(d.NBytes, d.stored)
	if c.Stats {
		d.Stats, err = e.statistics(name, c.DType)
	}
	return d, withName(name, err)
}

// notCompressed returns the error for a file that is not compressed. It names info only
// if info describes the file.
func (e *env) notCompressed(name, dtype string) error {
	if p, err := e.openPlain(name, dtype); err == nil {
		p.close()
		return errors.New("is not compressed by Blosc2; info describes it")
	}
	return errors.New("is not compressed by Blosc2")
}

// isPlain reports whether err may mean that a file is not compressed.
func isPlain(name string, err error) bool {
	_, member := splitMember(name)
	return errors.Is(err, errKind) && !wasFrame(name) || member != "" && errors.Is(err, fs.ErrNotExist)
}
