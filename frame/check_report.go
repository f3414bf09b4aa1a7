package frame

import (
	"errors"
)

// A Fault is an error in a frame, with the number of the frame.
type Fault struct {
	Frame int   // number of the frame in the file
	Err   error // a *blosc2.FormatError, or an error of the source
}

// A Report is the result of Verify. A file is sound if there are no Faults.
type Report struct {
	Frames int   // consecutive frames
	Chunks int64 // chunks that are in the indexes
	NBytes int64 // decoded bytes of these chunks

	Checked    int64 // chunks checked against a digest
	Unchecked  int64 // chunks without a digest, which were only decoded
	Superseded int64 // checked chunks that are no longer in an index

	// OtherBlocks is the number of chunks of arrays (b2nd) whose blocks have another size
	// than those of the array. C-Blosc2 refuses such an array; this module reads it.
	OtherBlocks int64

	// Records reports whether all headers and indexes were also checked against digests.
	// If it is false although the frames have marks, C-Blosc2 has edited a frame.
	Records bool
	// Unsealed is the number of frames that are not sealed, including those
	// that are Open and were never committed.
	Unsealed int
	// Open is the number of frames whose writer has not closed them, because it is still
	// writing or has died. That is not a fault. The next writer that continues such a
	// frame closes it, and so does Seal.
	Open int
	// Flushed is the number of decoded bytes in open frames that are flushed but not
	// committed. C-Blosc2 does not see these. For a growing array Flushed counts the
	// bytes of rows, while NBytes counts those of whole chunks.
	Flushed int64
	// Trailing is the number of bytes after the last frame or, if the frame is sparse,
	// after the chunks in their files. They are uncommitted data, unless there is a fault
	// that wraps blosc2.ErrTrailing; then they are not part of a frame.
	Trailing int64

	Faults []Fault
}

// Sound reports whether there are no faults.
func (r *Report) Sound() bool { return len(r.Faults) == 0 }

// Err returns the joined errors of the faults, or nil if there are none.
func (r *Report) Err() error {
	errs := make([]error, len(r.Faults))
	for i, f := range r.Faults {
		errs[i] = f.Err
	}
	return errors.Join(errs...)
}

// fault records a fault, unless it was recorded already.
func (r *Report) fault(frame int, err error) {
	for _, f := range r.Faults {
		if f.Frame == frame && f.Err.Error() == err.Error() {
			return
		}
	}
	r.Faults = append(r.Faults, Fault{frame, err})
}
