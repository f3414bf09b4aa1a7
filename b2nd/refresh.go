package b2nd

// Refresh returns the current state of the array: a Writer may have added rows,
// or an Editor changed it, in this or another process. It returns a if nothing
// has changed. a remains usable and keeps its state, or returns
// blosc2.ErrChanged for a chunk that was replaced since. Call Close once, on
// either.
//
// While a Writer adds rows, only these are read: see frame.Reader.Refresh. The
// source must have a Stat method, as a file has. For any other, refresh the
// Frame, and open its array with FromFrame. A sparse frame results in
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
