package frame

import (
	"errors"
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
)

// A File is a file in which a frame can be changed. *os.File implements it.
type File interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
}

// Seal seals the unsealed frames of a file of size bytes, which may hold several: it
// writes the sizes to their headers. Each header is written by one positioned write, so
// after a crash the frame is either sealed or unsealed. For the last frame that also
// holds after a power failure. Seal does not change chunks or compare their digests, and
// does not change sealed frames.
//
// The trailer of a frame without data is moved to the header's end, where C-Blosc2
// expects it, and the file is truncated after it. If another frame follows, such a frame
// stays unsealed. A torn frame and an empty file return io.ErrUnexpectedEOF; Repair
// handles torn frames. Bytes after the last frame are kept. If they are not uncommitted
// data, all frames are sealed and the error is blosc2.ErrTrailing.
func Seal(file File, size int64, opts ...Option) error {
	if err := framing.Need(file != nil, "file", "a frame.File, such as an *os.File"); err != nil {
		return err
	}
	for off := int64(0); off == 0 || off < size; {
		f, err := Open(io.NewSectionReader(file, off, size-off), size-off, opts...)
		if err != nil {
			return err
		}
		next := off + f.FrameLen()
		if f.mark.open {
			_, err := finishLog(part{file, off}, size-off, opts...)
			return err
		}
		if f.mark.order == Unsealed {
			if err := sealOne(file, f, off, next >= size); err != nil {
				return err
			}
		}
		follows, err := Follows(f.h, io.NewSectionReader(file, 0, size), next)
		if err != nil {
			return errors.Join(err, file.Sync())
		}
		if !follows {
			break
		}
		off = next
	}
	return file.Sync()
}

// frameAt reports whether a frame that may follow another one begins at off.
func frameAt(r io.ReaderAt, off int64) bool {
	b := make([]byte, len(Magic))
	n, _ := r.ReadAt(b, off)
	return n == len(b) && string(b) == Magic
}

// sealOne seals the frame that begins at off.
func sealOne(file File, f *Reader, off int64, last bool) error {
	b, err := resume(f)
	if err != nil {
		return err
	}
	if err := b.takeFinalShape(f); err != nil {
		return err
	}
	var head []byte
	if f.NumChunks() > 0 {
		if head, err = b.AppendSealed(nil); err != nil {
			return err
		}
		if last {
			if err := file.Sync(); err != nil { // the writer may not have synced its data
				return err
			}
			return writeHeader(file, file.Sync, off, head, f.frameLen)
		}
		return fsio.WriteAt(file, head, off)
	}
	if !last {
		return nil
	}
	if head, err = b.AppendEmpty(nil); err != nil {
		return err
	}
	if err := fsio.WriteAt(file, head, off); err != nil {
		return err
	}
	return file.Truncate(off + int64(len(head)))
}

// takeFinalShape replaces the metalayer of an array whose first dimension was unknown.
// The new value is that of the vlmetalayer b2nd, which the writer has stored.
func (b *Builder) takeFinalShape(f *Reader) error {
	value, ok, err := f.VLMeta(meta.B2NDName)
	if !ok || err != nil {
		return err
	}
	have, ok := b.h.Layer(meta.B2NDName)
	if !ok || slices.Equal(have, value) {
		return nil
	}
	if _, err := meta.ParseB2ND(value); err != nil || len(value) != len(have) {
		return blosc2.Errorf(blosc2.PartVLMeta, blosc2.ErrCorrupt, "%q cannot replace the metalayer: it is invalid or has another length", meta.B2NDName)
	}
	return b.SetMetalayer(meta.B2NDName, value)
}
