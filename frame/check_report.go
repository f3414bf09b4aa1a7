package frame

import (
	"errors"
)

// A Fault is something that is wrong with a frame, and where.
type Fault struct {
	Frame int   // number of the frame in the file
	Err   error // a *blosc2.FormatError, or what the source said
}

// A Report is what Verify found. A file is sound if there are no Faults.
type Report struct {
	Frames int   // frames after each other
	Chunks int64 // chunks that the indexes name
	NBytes int64 // their decoded bytes

	Checked    int64 // chunks that were compared with a digest
	Unchecked  int64 // chunks that have none: they were decoded only
	Superseded int64 // chunks that no index names any more and that were compared

	// Records says whether all headers and indexes were compared with digests
	// too. Where it is false for a frame with marks, C-Blosc2 has edited it.
	Records bool
	// Unsealed is the number of frames whose writer did not seal them, with those
	// that are Open and were never committed.
	Unsealed int
	// Open is the number of frames whose writer has not closed them: it is at
	// work, or has died. That is not a fault. The next writer that goes on with
	// such a frame, or Seal, closes it.
	Open int
	// Flushed is the number of decoded bytes of NBytes that the writers of open
	// frames have flushed and not committed: C-Blosc2 does not see them. Of a
	// growing array these are rows, while NBytes counts whole chunks.
	Flushed int64
	// Trailing is the number of bytes after the last frame, or after the chunks
	// of a sparse one in their files: what was written and not committed, or, if
	// there is a fault of blosc2.ErrTrailing, something that is not part of a
	// frame.
	Trailing int64

	Faults []Fault
}

// Sound reports whether nothing was wrong.
func (r *Report) Sound() bool { return len(r.Faults) == 0 }

// Err joins the faults, nil if there are none.
func (r *Report) Err() error {
	errs := make([]error, len(r.Faults))
	for i, f := range r.Faults {
		errs[i] = f.Err
	}
	return errors.Join(errs...)
}

// fault notes what is wrong, once.
func (r *Report) fault(frame int, err error) {
	for _, f := range r.Faults {
		if f.Frame == frame && f.Err.Error() == err.Error() {
			return
		}
	}
	r.Faults = append(r.Faults, Fault{frame, err})
}
