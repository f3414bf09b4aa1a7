package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
)

// repairable adds advice to the error of a file that is a damaged frame, or may be one.
func repairable(name string, err error) error {
	var fe *blosc2.FormatError
	switch {
	case errors.Is(err, blosc2.ErrNotBlosc2):
		if wasFrame(name) {
			return perhapsFrame(err)
		}
	case errors.As(err, &fe) && isFrame(name):
		return cutOff(err)
	}
	return err
}

// perhapsFrame adds advice to the error of a file that does not begin like a frame, but
// has other marks of one.
func perhapsFrame(err error) error {
	if strings.Contains(err.Error(), "repair ") {
		return err
	}
	return adding(err, "if it is a damaged frame, repair saves the intact chunks")
}

// wasFrame reports whether a file that does not begin like a frame may be a damaged one:
// its name has the suffix of a frame, most of its first bytes are those of a frame, or it
// ends with a trailer.
func wasFrame(name string) bool {
	begins, ends := marks(name)
	named := slices.Contains([]string{frameSuffix, arraySuffix, ".b2"}, filepath.Ext(localName(name)))
	return !beginsFrame(begins) && (named || nearFrame(begins) || isTrailer(ends))
}

// isFrame reports whether a file begins like a frame.
func isFrame(name string) bool {
	begins, _ := marks(name)
	return beginsFrame(begins)
}

// marks returns the first and the last bytes of a regular file, which show whether it is
// a frame. For other files it returns none.
func marks(name string) (begins, ends []byte) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	begins, ends = make([]byte, sniffLen), make([]byte, header.TrailerEnd)
	n, _ := f.ReadAt(begins, 0)
	m, _ := f.ReadAt(ends, max(info.Size()-header.TrailerEnd, 0))
	return begins[:n], ends[:m]
}

func beginsFrame(begins []byte) bool {
	kind, err := sniff(begins, 0)
	return err == nil && kind == kindFrame
}

// nearFrame reports whether most of the first bytes are those of a frame.
func nearFrame(begins []byte) bool {
	same := 0
	for i, c := range []byte(frame.Magic) {
		if i < len(begins) && begins[i] == c {
			same++
		}
	}
	return same > len(frame.Magic)/2
}

// isTrailer reports whether the last bytes of a file are the end of a frame's trailer.
func isTrailer(ends []byte) bool {
	_, err := (&header.Header{FrameLen: math.MaxUint32}).TrailerLen(ends)
	return err == nil && ends[5] == 0xd8 // the type of the fingerprint, as of any value of 16 bytes
}

// cutOff adds advice to the error of a frame that ends early or is damaged, unless it has
// some.
func cutOff(err error) error {
	var fe *blosc2.FormatError
	if !errors.As(err, &fe) || strings.Contains(err.Error(), "repair ") {
		return err
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) && fe.Part != blosc2.PartHeader:
		return adding(err, "the frame is truncated, or its writer is active or failed: repair saves the intact chunks")
	case errors.Is(err, blosc2.ErrNotBlosc2):
	case (errors.Is(err, blosc2.ErrCorrupt) || errors.Is(err, blosc2.ErrChecksum)) && slices.Contains(repaired, fe.Part):
		return adding(err, "repair saves the intact chunks")
	}
	return err
}

// repaired are the parts of a frame that repair rebuilds, or leaves out if they are
// damaged. Metalayers are not among them.
var repaired = []blosc2.Part{blosc2.PartHeader, blosc2.PartRecord, blosc2.PartChunk, blosc2.PartBlock, blosc2.PartIndex,
	blosc2.PartTrailer, blosc2.PartVLMeta}

// adding adds advice to an error, within a path error, of which messages have only the
// cause.
func adding(err error, advice string) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return &fs.PathError{Op: pe.Op, Path: pe.Path, Err: adding(pe.Err, advice)}
	}
	return fmt.Errorf("%w; %s", err, advice)
}

var errNothingFlushed = errors.New("holds no items: its writer flushed none, or the file was truncated after its header; remove it")

// advise adds advice to the error of a verb that continues or ends a log: flushed
// data may be damaged or missing.
func advise(name string, err error) error {
	if !errors.Is(err, blosc2.ErrCorrupt) && !errors.Is(err, blosc2.ErrChecksum) && !errors.Is(err, blosc2.ErrOption) {
		return err
	}
	f, openErr := frame.OpenFile(name)
	if openErr != nil {
		return err
	}
	defer f.Close()
	switch lost := f.Lost(); {
	case lost != nil:
		return saves(lost)
	case f.Open() && f.Size() == 0 && errors.Is(err, blosc2.ErrOption):
		return errNothingFlushed
	}
	return err
}

// saves adds advice to the error of a log whose flushed data are damaged.
func saves(lost error) error { return fmt.Errorf("%w; repair saves what is intact", lost) }
