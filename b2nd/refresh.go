package b2nd

// Refresh returns the array as it is now: its Writer may have added rows, or an
// Editor changed it, in this process or another one. It is a itself if nothing has
// changed. a can be used on, and sees what it saw, or returns blosc2.ErrChanged
// where a chunk was replaced since. Close is to be called once, on either.
//
// While a Writer adds rows, only these are read: see frame.Reader.Refresh. The
// source must be a file or have its method Stat. Of any other one, refresh the
// Frame, and open the array of that with FromFrame. A sparse frame is
// blosc2.ErrUnsupported.
func (a *Array) Refresh() (*Array, error) {
	f, err := a.f.Refresh(-1)
	if err != nil {
		return nil, err
	}
	if f == a.f {
		return a, nil
	}
	now, err := open(f, a.cfg)
	if err != nil {
		return nil, err
	}
	now.close = a.close
	return now, nil
}
