package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/remote"
)

// A file is a local file or a remote object, opened for random access.
type file interface {
	fs.File
	io.ReaderAt
	io.Seeker
}

// isURL reports whether a name is the URL of a remote object.
func isURL(name string) bool { return schemeOf(name) != "" }

// schemeOf returns the scheme of a URL such as s3://bucket/key, and "" for other names.
func schemeOf(name string) string {
	scheme, _, ok := strings.Cut(name, "://")
	if !ok || scheme == "" || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return scheme
}

// openURL opens the object that a URL names.
func (e *env) openURL(name string, opts ...remote.Option) (*remote.Object, error) {
	if s := schemeOf(name); s == "http" || s == "https" {
		return remote.Open(context.Background(), name, opts...)
	}
	store, err := e.storeOf(name)
	if err != nil {
		return nil, err
	}
	return store.Open(context.Background(), name, opts...)
}

// storeOf returns the driver for the store of a URL. It starts the driver if necessary.
func (e *env) storeOf(name string) (*driver.Client, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	scheme := schemeOf(name)
	if store := e.drivers[scheme]; store != nil {
		return store, nil
	}
	store, err := driver.Start(scheme, e.endpoint)
	if err != nil {
		return nil, err
	}
	if e.drivers == nil {
		e.drivers = map[string]*driver.Client{}
	}
	e.drivers[scheme] = store
	return store, nil
}

// closeDrivers stops the drivers.
func (e *env) closeDrivers() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, store := range e.drivers {
		store.Close() // the driver has reported its errors
	}
	e.drivers = nil
}

// openFarSource is like openSource, for a remote object or a leaf of a store.
func (e *env) openFarSource(name string, offset int64) (*source, error) {
	o, err := e.openAnywhere(name)
	if err != nil {
		return nil, withName(publicName(name), err)
	}
	info, err := o.Stat()
	if err != nil {
		o.Close()
		return nil, withName(publicName(name), err)
	}
	s := &source{in: &input{name: publicName(name), size: info.Size()}, file: o}
	if _, err = o.Seek(offset, io.SeekStart); err == nil {
		err = s.openFile(offset)
	}
	if err != nil && !errors.Is(err, errKind) {
		o.Close()
		return nil, withName(s.in.name, err)
	}
	return s, withName(s.in.name, err)
}

// notInPlace returns the error for a name that a verb cannot change in place.
func notInPlace(name string) error {
	if _, _, ok := splitStore(name); ok {
		return misusef("%s: is in a store, and cannot be changed in place; see tree extract and tree add --force", publicName(name))
	}
	if !isURL(name) {
		return nil
	}
	return misusef("%s: is remote, and cannot be changed in place; must be a file", publicName(name))
}

// localName returns the name of an input, or the last part of the path of a URL.
func localName(name string) string {
	if !isURL(name) {
		return name
	}
	u, err := url.Parse(name)
	if err != nil {
		return name
	}
	return path.Base(u.Path)
}

// publicName returns a name without the secret parts of a URL.
func publicName(name string) string {
	if !isURL(name) {
		return name
	}
	u, err := url.Parse(name)
	if err != nil {
		return name
	}
	if u.Host == "" {
		return u.Scheme + "://" + u.Path
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// cost prints the requests and bytes that reading a remote target took.
func (e *env) cost(t *target) {
	switch f := t.file.(type) {
	case *remote.Object:
		e.costOf(f)
	case *member:
		e.costOf(f.store.far)
	case *farMember:
		e.costOf(f.store.far)
	}
}

// costOf prints the requests and bytes that reading an object took. The object may be
// nil.
func (e *env) costOf(o *remote.Object) {
	if o != nil && e.verbose {
		s := o.Stats()
		e.note("%s: %s, %s", o.Name(), count(s.Requests, "request"), count(s.Bytes, "byte"))
	}
}
