package stream_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"
)

// A disk is a file in memory that records every change.
type disk struct {
	b   []byte
	log []change
}

func (d *disk) apply(c change) {
	switch {
	case c.sync:
	case c.b == nil:
		d.b = d.b[:min(c.off, int64(len(d.b)))]
	default:
		if need := c.off + int64(len(c.b)); need > int64(len(d.b)) {
			d.b = append(d.b, make([]byte, need-int64(len(d.b)))...)
		}
		copy(d.b[c.off:], c.b)
	}
}

func (d *disk) do(c change) { d.apply(c); d.log = append(d.log, c) }

func (d *disk) ReadAt(p []byte, off int64) (int, error) { return bytes.NewReader(d.b).ReadAt(p, off) }

func (d *disk) Truncate(size int64) error { d.do(change{off: size}); return nil }

func (d *disk) Sync() error { d.do(change{sync: true}); return nil }

func (d *disk) WriteAt(p []byte, off int64) (int, error) {
	d.do(change{off: off, b: bytes.Clone(p)})
	return len(p), nil
}

// onlyReader hides all methods but Read.
type onlyReader struct{ io.Reader }

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A counted is a file that counts writes.
type counted struct {
	*os.File
	written int64
	syncs   int
}

func (c *counted) WriteAt(p []byte, off int64) (int, error) {
	c.written += int64(len(p))
	return c.File.WriteAt(p, off)
}

func (c *counted) Write(p []byte) (int, error) {
	c.written += int64(len(p))
	return c.File.Write(p)
}

func (c *counted) Sync() error { c.syncs++; return nil }

func (c *counted) size(t testing.TB) int64 {
	t.Helper()
	info, err := c.Stat()
	must(t, err)
	return info.Size()
}

// A flusher counts calls.
type flusher struct {
	io.Writer
	flushed int
	err     error
}

// A failing is a sink that accepts the given number of bytes and no more.
type failing struct{ left int }

func (f *failing) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// An onlyWriter hides everything except Write.
type onlyWriter struct{ w io.Writer }

func (w onlyWriter) Write(p []byte) (int, error) { return w.w.Write(p) }

type shortWriter struct{}

func (shortWriter) Write(p []byte) (int, error) { return len(p) - 1, nil }

var errFull = errors.New("full")

var errBoom = errors.New("boom")

type change struct {
	off  int64
	b    []byte // nil means that the file was truncated at off
	sync bool
}
