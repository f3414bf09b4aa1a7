package blosc2

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Sentinel errors. Every error about data wraps one of these, or
// io.ErrUnexpectedEOF if the data end early; test with errors.Is.
var (
	ErrCorrupt       = errors.New("blosc2: corrupt data")
	ErrChecksum      = errors.New("blosc2: checksum mismatch")
	ErrUnsupported   = errors.New("blosc2: unsupported")
	ErrTooLarge      = errors.New("blosc2: larger than the limit")
	ErrNotSequential = errors.New("blosc2: frame cannot be read front to back")
	ErrChanged       = errors.New("blosc2: changed since it was opened")
	ErrClosed        = errors.New("blosc2: already closed")
	ErrOption        = errors.New("blosc2: invalid option")
	ErrLocked        = errors.New("blosc2: another writer holds the lock")

	// ErrTrailing says that the bytes after the last frame of a stream are not
	// a frame: the beginning of another frame is damaged, or the data are
	// foreign. All data before them were read.
	ErrTrailing = errors.New("blosc2: data after the last frame")

	// ErrNotBlosc2 says that a source does not begin like a Blosc2 frame. It wraps
	// ErrCorrupt, because a frame whose first bytes are damaged looks the same.
	ErrNotBlosc2 error = notBlosc2{}
)

type notBlosc2 struct{}

func (notBlosc2) Error() string { return "blosc2: not Blosc2 data" }
func (notBlosc2) Unwrap() error { return ErrCorrupt }

// A Part names the part of a file that an error is about.
type Part string

// The parts of a frame and of a chunk.
const (
	PartHeader    Part = "header"
	PartMeta      Part = "metalayer"
	PartRecord    Part = "record"
	PartChunk     Part = "chunk"
	PartBlock     Part = "block"
	PartIndex     Part = "index"
	PartTrailer   Part = "trailer"
	PartVLMeta    Part = "vlmetalayer"
	PartDirectory Part = "directory" // the directory of a sparse frame
)

// A FormatError describes an error in the data and its place. Chunk, Block and
// Offset are -1 if unknown or not applicable. Layers below fill in what they
// know and layers above complete it with At.
type FormatError struct {
	Part   Part
	Chunk  int64  // number of the chunk in its frame
	Block  int    // number of the block in its chunk
	Offset int64  // bytes from the start of the frame or, outside a frame, of the chunk
	Msg    string // what was found and what was expected
	Err    error  // one of the sentinels above
	Cause  error  // the error of a codec or filter, or nil; Msg contains its text
}

// Errorf returns a FormatError about part that wraps the sentinel err. Its
// chunk, block and offset are not set.
func Errorf(part Part, err error, format string, args ...any) *FormatError {
	return &FormatError{Part: part, Chunk: -1, Block: -1, Offset: -1, Msg: fmt.Sprintf(format, args...), Err: err}
}

// At returns err with the number of the chunk set and the offset of the chunk
// added to its own, if err is or wraps a FormatError without a chunk. It
// returns any other error unchanged.
func At(err error, chunk, offset int64) error {
	if err == nil {
		return nil // does not allocate, because it is called for every chunk
	}
	var fe *FormatError
	if !errors.As(err, &fe) || fe.Chunk >= 0 {
		return err
	}
	c := *fe
	c.Chunk = chunk
	if c.Offset < 0 {
		c.Offset = offset
	} else if offset >= 0 {
		c.Offset += offset
	}
	return &c
}

func (e *FormatError) Error() string {
	var b strings.Builder
	b.WriteString("blosc2: ")
	b.WriteString(string(e.Part))
	if e.Chunk >= 0 {
		if e.Part == PartChunk {
			fmt.Fprintf(&b, " %d", e.Chunk)
		} else {
			fmt.Fprintf(&b, " of chunk %d", e.Chunk)
		}
	}
	if e.Block >= 0 {
		fmt.Fprintf(&b, ", block %d", e.Block)
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ", offset %d", e.Offset)
	}
	b.WriteString(": ")
	b.WriteString(e.Msg)
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(strings.TrimPrefix(e.Err.Error(), "blosc2: "))
	}
	return b.String()
}

// Unwrap returns Err, and Cause if there is one.
func (e *FormatError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.Cause}
}

// WithCause sets the Cause to the error of a codec or filter, and returns e. It
// ignores errors that wrap io.EOF or io.ErrUnexpectedEOF, because these are about
// the end of a block, and would be mistaken for the end of the stream.
func (e *FormatError) WithCause(err error) *FormatError {
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		e.Cause = err
	}
	return e
}

// An OptionError names an invalid option and says what it must be. It wraps
// ErrOption, and Err if that is set.
type OptionError struct {
	Option string // the option's name, as in "level"
	Value  any    // the invalid value
	Range  string // what it must be, as in "0 to 9"
	Err    error  // ErrUnsupported for a codec or filter that is not registered, or nil
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("blosc2: %s %v: must be %s", e.Option, e.Value, e.Range)
}

// Unwrap returns ErrOption, and Err if that is set.
func (e *OptionError) Unwrap() []error {
	if e.Err == nil {
		return []error{ErrOption}
	}
	return []error{ErrOption, e.Err}
}
