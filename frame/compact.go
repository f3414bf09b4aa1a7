package frame

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// Compact writes the frame anew to dst, from its start on: sealed, in order,
// without holes and chunks that no index names, so that it can be read front to
// back, unless some chunks are entries of the index alone, which they remain.
// It gets digests, unless it bears the mark of this library and was written
// without.
//
// A frame of variable chunk size, which Flush makes on a pipe, gets one chunk
// size, as C-Blosc2 2.x and python-blosc2 need it: that of ChunkSize, else the
// one that the header states, else the one of its own at least 16 KiB large
// that saves most work, else 1 MiB. Chunks that have that size at their place,
// and with it all chunks of other frames, are copied as they are stored, after
// their digests were compared; the data of the others are recompressed with the
// frame's parameters, with memory for two chunks. They stay equal: lossy filters
// are left out, and a codec that would change them is blosc2.ErrUnsupported,
// unless AllowLoss says otherwise. KeepChunkSizes leaves all sizes as they are.
// So does Compact itself where they mean something: in arrays, in frames of
// blocks of variable length, and in the containers of python-blosc2 that keep an
// item in each chunk.
func (f *Reader) Compact(dst File, opts ...Option) error {
	cfg := f.cfg
	for _, o := range opts {
		o(&cfg)
	}
	_, err := f.compact(dst, cfg.recut)
	return err
}

// compact returns the length of the new frame.
func (f *Reader) compact(dst File, o recutting) (int64, error) {
	if err := f.writable(); err != nil {
		return 0, err
	}
	size, err := f.planSize(o)
	if err != nil {
		return 0, err
	}
	_, marked := f.h.Layer(meta.StreamName)
	special := slices.ContainsFunc(f.index, func(entry int64) bool { return entry < 0 })
	h := *f.h
	switch {
	case size > 0:
		setChunkSize(&h, size)
		special = false
	case f.irregular:
		h.VariableChunks, h.ChunkSize, h.Version = true, 0, 3
	}
	if h.Layers, err = f.layersNow(); err != nil {
		return 0, err
	}
	w, err := newRewriter(dst, &h, building{checks: f.rec1 || !marked, unordered: special && !h.VariableChunks}, f.cfg.limits)
	if err != nil {
		return 0, err
	}
	w.noSpecial = !special || h.VariableChunks
	r := &recutter{w: w, size: size, lossy: o.lossy}
	if err := r.addAll(f, true); err != nil {
		return 0, err
	}
	err = w.finish(f.vlmeta)
	return w.b.pos, err
}

// setChunkSize makes h the header of a frame of one chunk size.
func setChunkSize(h *header.Header, size int) {
	h.ChunkSize, h.VariableChunks, h.VLBlocks, h.Version = int32(size), false, false, 2
}

// planSize returns the chunk size that the data are to be cut to, 0 if the
// chunks stay as they are.
func (f *Reader) planSize(o recutting) (int, error) {
	if err := o.check(int(f.h.TypeSize), f.cfg.limits); err != nil {
		return 0, err
	}
	if o.keep || f.NumChunks() == 0 || f.oneSize() && (o.size == 0 || o.size == int(f.h.ChunkSize)) {
		return 0, nil
	}
	what, bound, err := f.bound()
	if err != nil || bound && !o.uniform {
		return 0, err
	}
	if bound {
		return 0, blosc2.Errorf(blosc2.PartChunk, blosc2.ErrUnsupported, "another chunk size where the bounds of chunks mean something (%s)", what)
	}
	if o.size > 0 {
		return o.size, nil
	}
	sizes, err := f.chunkSizes(nil)
	return choose(f.h, sizes, f.cfg.limits), err
}

// oneSize reports whether all chunks but the last have the size that the header
// states.
func (f *Reader) oneSize() bool {
	return !f.h.VariableChunks && !f.irregular && f.h.ChunkSize > 0 && (f.mark.order != Unsealed || f.uniform())
}

// addAll adds all chunks of a frame, after their digests were compared; last
// says that nothing follows them.
func (r *recutter) addAll(f *Reader, last bool) error {
	setUp(&r.w.dec, f.h, f.cfg.limits)
	for it, err := range f.RawChunks(0) {
		if err != nil && err == f.end && f.mark.open { // all that was flushed of a frame that was never committed
			break
		}
		if err == nil && r.size > 0 {
			err = r.add(it, last && it.N == f.NumChunks()-1)
		} else if err == nil && f.inOpenChunk(it.N) {
			err = r.addOpen(it)
		} else if err == nil {
			err = r.w.add(it)
		}
		if err != nil {
			return blosc2.At(err, it.N, it.Offset)
		}
	}
	if last {
		return r.finish()
	}
	return nil
}
