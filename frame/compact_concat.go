package frame

import (
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// Concat writes one frame to dst, from its start on, that holds the data of all frames in
// turn. The stored chunks are verified and copied, not recompressed. dst must not be the
// file of one of the frames.
//
// The frames must be of the current layout, in a file or a directory. They must have the
// same typesize and, if recorded, the same dtype; otherwise a *blosc2.OptionError names
// the difference. Arrays and the batches of python-blosc2 return blosc2.ErrUnsupported.
// Codec and filters may differ, because each chunk records them. The new header has those
// of the first frame, and its metalayers. Vlmetalayers are merged: of several with the
// same name the first is kept.
//
// If all chunks but the last have the same size, that is the chunk size of the result. If
// chunk sizes differ, or a frame other than the last ends with a short chunk, the result
// has a variable chunk size, which C-Blosc2 2.x and python-blosc2 do not read. With
// Uniform or ChunkSize it has a fixed one: chunks of other sizes are recompressed, as by
// Compact.
func Concat(dst File, frames []*Reader, opts ...Option) error {
	if err := framing.Need(dst != nil, "destination", "a frame.File, such as an *os.File"); err != nil {
		return err
	}
	for i, f := range frames {
		if err := framing.Need(f != nil, fmt.Sprintf("frame %d", i), "an open frame"); err != nil {
			return err
		}
	}
	return concat(dst, frames, nil, opts)
}

// concat does what Concat does. names are the names of the frames in errors.
func concat(dst File, frames []*Reader, names []string, opts []Option) error {
	cfg := newConfig(opts)
	about := func(i int, err error) error {
		if names != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
		return fmt.Errorf("frame %d: %w", i, err)
	}
	if len(frames) == 0 {
		return &blosc2.OptionError{Option: "number of frames", Value: 0, Range: "at least 1"}
	}
	first := frames[0]
	if err := cfg.recut.check(int(first.h.TypeSize), cfg.limits); err != nil {
		return err
	}
	h, sizes := *first.h, []int64(nil)
	h.Type = header.Contiguous
	var vlmeta []meta.Layer
	for i, f := range frames {
		err := f.joins(first)
		if err == nil {
			sizes, err = f.chunkSizes(sizes)
		}
		if err != nil {
			return about(i, err)
		}
		if f.h.BlockSize != h.BlockSize {
			h.BlockSize = 0
		}
		h.Dict, h.VLBlocks = h.Dict || f.h.Dict, h.VLBlocks || f.h.VLBlocks
		vlmeta = merge(vlmeta, f.vlmeta)
	}
	if len(vlmeta) > meta.MaxLayers {
		return &blosc2.OptionError{Option: "vlmetalayers of all frames", Value: len(vlmeta), Range: "at most 16"}
	}
	size, err := joinedSize(&h, sizes, cfg)
	if err != nil {
		return err
	}
	w, err := newRewriter(dst, &h, building{checks: true}, cfg.limits)
	if err != nil {
		return err
	}
	w.noSpecial = true
	r := &recutter{w: w, size: size, lossy: cfg.recut.lossy}
	for i, f := range frames {
		last := !slices.ContainsFunc(frames[i+1:], func(f *Reader) bool { return f.NumChunks() > 0 })
		if err := r.addAll(f, last); err != nil {
			return about(i, err)
		}
	}
	return w.finish(vlmeta)
}

// joinedSize sets the chunk size in the header of a frame with chunks of the given sizes.
// It returns the new chunk size, or 0 if the chunks do not change.
func joinedSize(h *header.Header, sizes []int64, cfg config) (int, error) {
	total := int64(0)
	for _, n := range sizes {
		total += n
	}
	if err := cfg.limits.checkTotal(total); err != nil || total == 0 {
		return 0, err
	}
	if cfg.recut.uniform {
		size := cfg.recut.size
		if size == 0 {
			size = choose(h, sizes, cfg.limits)
		}
		setChunkSize(h, size)
		return size, nil
	}
	vl := h.VLBlocks
	for _, size := range []int64{int64(h.ChunkSize), sizes[0]} {
		if size > 0 && size%int64(h.TypeSize) == 0 && inPlace(sizes, size) == total {
			setChunkSize(h, int(size))
			if h.VLBlocks = vl; vl {
				h.Version = 3
			}
			return 0, nil
		}
	}
	h.VariableChunks, h.ChunkSize, h.Version = true, 0, 3
	return 0, nil
}

// joins returns an error if the frame cannot be joined to the first one.
func (f *Reader) joins(first *Reader) error {
	refuse := func(format string, args ...any) error {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, format, args...)
	}
	for _, name := range []string{meta.B2NDName, meta.CatervaName, "batcharray", "listarray"} {
		if _, ok := f.Metalayer(name); ok {
			return refuse("joining frames with a metalayer %s, which describes the data of one", name)
		}
	}
	switch {
	case f.h.Generation != header.Current:
		return refuse("joining frames of the %s layout", f.h.Generation)
	case f.torn():
		return f.end
	case f.h.TypeSize != first.h.TypeSize:
		return &blosc2.OptionError{Option: "typesize", Value: f.h.TypeSize, Range: fmt.Sprintf("%d, that of the first frame", first.h.TypeSize)}
	}
	a, recorded := first.Metalayer(meta.DTypeName)
	if b, ok := f.Metalayer(meta.DTypeName); ok && recorded && string(a) != string(b) {
		return &blosc2.OptionError{Option: meta.DTypeName, Value: meta.Text(b), Range: meta.Text(a) + ", that of the first frame"}
	}
	return nil
}

// merge adds the layers whose names are new.
func merge(layers, more []meta.Layer) []meta.Layer {
	for _, l := range more {
		if _, ok := meta.Find(layers, l.Name); !ok {
			layers = append(layers, l)
		}
	}
	return layers
}
