package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// append appends data to the frame called name, compressed with the frame's parameters,
// in one commit. Before the commit the frame is unchanged.
func (j *compression) append(e *env, in *input, name string) error {
	array, err := j.holdsArray(name)
	switch {
	case err != nil:
		return withName(name, err)
	case array && j.array != nil:
		return j.appendRows(e, in, name)
	case array:
		return withName(name, errors.New("is an array; the input must be one too: a .npy file, or bytes with --shape"))
	case j.array != nil:
		return withName(name, errors.New("is not an array; an array can be appended only to an array"))
	}
	bar := e.newBar(in.name, in.size)
	defer bar.end()
	var w *stream.FileWriter
	err = e.awaitLock(name, frame.DefaultLockWait, func(wait time.Duration) (err error) {
		w, err = stream.AppendFile(name, stream.Workers(j.cmd.workers()), stream.SelfCheck(j.cmd.SelfCheck), bar.written(), stream.LockWait(wait))
		return err
	})
	if err != nil {
		return withName(name, advise(name, err))
	}
	if lost := w.Lost(); lost != nil {
		e.note("%s: %v; the new data follow what is intact before it", name, lost)
	}
	n, err := w.ReadFrom(j.data)
	if err != nil {
		w.Abort(err)
		return withName(in.name, err)
	}
	if err := w.Close(); err != nil {
		return withName(name, err)
	}
	bar.end()
	e.note("%s: %s appended to %s", in.name, count(n, "byte"), name)
	e.noteWithin(name)
	return nil
}

// noteWithin reports that a frame ends within an item, because items that are appended to
// it are misread.
func (e *env) noteWithin(name string) {
	f, err := frame.OpenFile(name)
	if err != nil {
		return
	}
	defer f.Close()
	d, err := parseDType(dtypeOf(f.Reader))
	if err == nil && d.Size > 0 {
		if rest := f.Size() % int64(d.Size); rest > 0 {
			e.note("%s: ends with %s of an item of %s; items that are appended now will be misread", name, count(rest, "byte"), d)
		}
		return
	}
	size := int64(f.Header().TypeSize) // perhaps that of the items, perhaps only the best to compress them
	if rest := f.Size() % max(size, 1); rest > 0 {
		e.note("%s: ends with %s of an item of %s; if its items have that size, those that are appended now will be misread", name, count(rest, "byte"), count(size, "byte"))
	}
}

// holdsArray reports whether a frame is an array, to which raw bytes cannot be
// appended. It returns an error if the flags contradict the frame's settings, or if the
// frame's items have another type than the data.
func (j *compression) holdsArray(name string) (bool, error) {
	f, err := frame.OpenFile(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if !j.cmd.begun {
		if err := j.sameSettings(f.Reader); err != nil {
			return false, err
		}
	}
	if has := dtypeOf(f.Reader); has != "" && j.dtype != "" && has != j.dtype {
		return false, fmt.Errorf("has items of type %s, not %s; --dtype sets the type of the input", has, j.dtype)
	}
	return isArray(f.Metalayers()), nil
}

// sameSettings returns an error if a flag differs from the settings of the frame,
// because the appended data are compressed with the frame's settings.
func (j *compression) sameSettings(f *frame.Reader) error {
	h, given := f.Header(), j.cmd.given
	if given("auto") {
		return misusef("--append keeps the settings of the frame, so --auto has no effect")
	}
	if given("check-output") && isArray(f.Metalayers()) {
		return misusef("--check-output cannot be combined with --append to an array")
	}
	for _, s := range []struct {
		flag       string
		have, want any
	}{
		{"codec", codecText(h.Codec, h.CodecMeta), codecText(j.enc.codec, j.enc.meta)},
		{"level", int(h.Level), j.enc.level},
		{"filters", h.Filters, j.enc.filters},
		{"split", h.Split.String(), j.enc.split.String()},
		{"chunk", int64(h.ChunkSize), int64(j.cmd.Chunk)},
		{"block", int64(h.BlockSize), int64(j.cmd.Block)},
		{"for-store", h.ChunkSize == stream.StoreChunkSize, j.cmd.ForStore},
		{"no-check", !f.Checked(), j.cmd.NoCheck},
	} {
		if given(s.flag) && s.have != s.want {
			return misusef("--append keeps the settings of the frame: --%s is %v there, not %v", s.flag, s.have, s.want)
		}
	}
	if n := j.cmd.TypeSize; given("typesize") && j.array == nil && int(h.TypeSize) != *n {
		return misusef("--append keeps the settings of the frame: --typesize is %d there, not %d", h.TypeSize, *n)
	}
	return nil
}

// codecText formats a codec and its META as --codec accepts them.
func codecText(id blosc2.CodecID, meta uint8) string {
	if meta == 0 {
		return id.String()
	}
	return fmt.Sprintf("%v:%d", id, meta)
}

// appends reports whether the output exists and data is to be appended to it.
func (c *compressCmd) appends(name string) (bool, error) {
	if !c.Append {
		return false, nil
	}
	if c.ChunkOnly || c.Layout != layoutCurrent {
		return false, misusef("--append requires the current layout")
	}
	if name == "-" {
		return false, misusef("--append: -o must name the frame")
	}
	_, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return true, err
}
