package b2nd

import "io"

// ReadFrom reads the bytes of the array from r up to its end, or until an array
// of known shape is complete. n is the number of bytes read. An error of r is
// sticky, as for stream.Writer.ReadFrom: Close returns it and leaves the frame
// unfinished, CloseRows finishes the array with all complete rows, and after
// ClearError the Writer can continue.
func (a *Writer) ReadFrom(r io.Reader) (n int64, err error) {
	if err := a.ready(); err != nil {
		return 0, err
	}
	for a.left > int64(len(a.slab)) {
		want := a.slabBytes()
		at := len(a.slab)
		k, err := fill(a.room(want)[at:want], r)
		a.slab = a.slab[:at+k]
		n += int64(k)
		if ferr := a.flushSlab(want); ferr != nil {
			return n, ferr
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			a.source = err
			return n, err
		}
	}
	return n, nil
}

// fill reads b from r. Unlike io.ReadFull it returns the error of r unchanged,
// so that a source that was cut off does not look like one that has ended.
func fill(b []byte, r io.Reader) (n int, err error) {
	for empty := 0; n < len(b) && err == nil; {
		var k int
		k, err = r.Read(b[n:])
		n += k
		if empty++; k > 0 {
			empty = 0
		}
		if empty == 100 && err == nil {
			err = io.ErrNoProgress
		}
	}
	if n == len(b) && err == io.EOF {
		err = nil
	}
	return n, err
}

// ClearError clears an error of the source in ReadFrom, and returns it, or nil:
// see stream.Writer.ClearError.
func (a *Writer) ClearError() error {
	if a.err != nil || a.closed {
		return nil
	}
	err := a.source
	a.source = nil
	return err
}
