package frame

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// Compact rewrites the frame to dst, from its start on. The new frame is sealed, in order
// and without unused bytes. It can be read front to back unless some chunks are only
// entries of the index, which Compact keeps. Compact adds digests, unless the frame has
// the mark of this library and was written without them.
//
// A frame of variable chunk size, such as Flush makes on a pipe, gets a fixed chunk size,
// which C-Blosc2 2.x and python-blosc2 need. That is the size of the option ChunkSize or,
// without the option, the size in the header. Otherwise it is the size among its chunks,
// of at least 16 KiB, that needs the least recompression, or 1 MiB. Chunks that already
// have this size and position are verified and copied. The data of the other chunks are
// recompressed with the frame's parameters, using memory for two chunks. All chunks of a
// frame of fixed chunk size are copied.
//
// The data do not change. Recompression drops lossy filters, and a lossy codec returns
// blosc2.ErrUnsupported, unless AllowLoss is given. KeepChunkSizes keeps all sizes.
// Compact always keeps sizes that have a meaning: in arrays, in frames with
// variable-length blocks, and in containers of python-blosc2 with an item in each chunk.
func (f *Reader) Compact(dst File, opts ...Option) error {
	if err := framing.Need(dst != nil, "destination", "a frame.File, such as an *os.File"); err != nil {
		return err
	}
	cfg := f.cfg
	for _, o := range opts {
		if o != nil {
			o(&cfg)
		}
	}
	_, err := f.compact(dst, cfg, 0)
	return err
}

// compact does what Compact does, for a frame that begins at base. It returns the length
// of the new frame, and reports its progress from base.
func (f *Reader) compact(dst File, cfg config, base int64) (int64, error) {
	o := cfg.recut
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
	r := &recutter{w: w, size: size, lossy: o.lossy, done: func(it Item) { cfg.reported(it, base, base+f.size) }}
	if err := r.addAll(f, true); err != nil {
		return 0, err
	}
	err = w.finish(f.vlmeta)
	return w.b.pos, err
}

// setChunkSize makes h the header of a frame with the given chunk size.
func setChunkSize(h *header.Header, size int) {
	h.ChunkSize, h.VariableChunks, h.VLBlocks, h.Version = int32(size), false, false, 2
}

// planSize returns the new chunk size, or 0 if the chunks do not change.
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
		return 0, blosc2.Errorf(blosc2.PartChunk, blosc2.ErrUnsupported, "changing the chunk size of a frame whose chunk boundaries have a meaning (%s)", what)
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

// addAll verifies and adds all chunks of a frame. last says that no other frame follows.
func (r *recutter) addAll(f *Reader, last bool) error {
	setUp(&r.w.dec, f.h, f.cfg.limits)
	for it, err := range f.RawChunks(0) {
		if err != nil && err == f.end && f.mark.open { // never committed, but all flushed data were found
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
		if r.done != nil {
			r.done(it)
		}
	}
	if last {
		return r.finish()
	}
	return nil
}
