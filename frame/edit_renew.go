package frame

import (
	"bytes"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// Renew accepts the current contents of the frame in a file of size bytes, and rewrites
// the digests that do not match. It is for frames that C-Blosc2 has changed without
// changing a length, which cannot be distinguished from damage. Other damage is an error.
// Every chunk with a wrong digest must decode. If one byte of the header differs from the
// header that its digest proves, that byte must be in the value of a metalayer. If
// C-Blosc2 has changed lengths too, the frame is sealed again with a new index, record
// and trailer. Its chunks then need not have digests.
func Renew(file File, size int64, opts ...Option) error {
	if err := framing.Need(file != nil, "file", "a frame.File, such as an *os.File"); err != nil {
		return err
	}
	f, err := Open(file, size, append(opts, func(c *config) { c.renew = true })...)
	if err != nil {
		return err
	}
	if err := f.renewable(); err != nil {
		return err
	}
	switch {
	case f.mark.order == Unsealed:
		return Seal(file, size, opts...)
	case f.mark.edited:
		e, err := Edit(file, size, append(opts, func(c *config) { c.renew = true })...)
		if err != nil {
			return err
		}
		e.dirty = true
		return e.Commit()
	case !f.mark.holds || f.NumChunks() == 0:
		return nil // there are no digests to renew
	}
	if err := f.renewChunks(file); err != nil {
		return err
	}
	if err := f.renewTail(file); err != nil {
		return err
	}
	if f.rec1 {
		rec := record{kind: kindHeader, value: framing.Digest(f.raw)}.append(nil)
		if _, err := file.WriteAt(rec, int64(len(f.raw))); err != nil {
			return err
		}
	}
	return file.Sync()
}

// renewable returns an error if one byte of the header is wrong and is not in the value
// of a metalayer of another program. C-Blosc2 changes no other single byte.
func (f *Reader) renewable() error {
	if !f.rec1 {
		return nil
	}
	h, raw, ok := correctHeader(append(f.raw[:len(f.raw):len(f.raw)], f.rest[:recordLen]...))
	if !ok || bytes.Equal(raw[:len(raw)-recordLen], f.raw) {
		return nil
	}
	if only, err := onlyValues(h, f.h); err != nil || only {
		return err
	}
	return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrChecksum, "a byte outside the metalayers is damaged; repair rebuilds the header")
}

// onlyValues reports whether two headers differ only in the values of metalayers, and not
// in the mark.
func onlyValues(a, b *header.Header) (bool, error) {
	if slices.EqualFunc(a.Layers, b.Layers, func(x, y meta.Layer) bool { return bytes.Equal(x.Value, y.Value) }) {
		return false, nil
	}
	var rest [2][]byte
	for i, h := range []header.Header{*a, *b} {
		h.Layers = slices.Clone(h.Layers)
		for k := range h.Layers {
			if h.Layers[k].Name != meta.StreamName {
				h.Layers[k].Value = nil
			}
		}
		var err error
		if rest[i], err = h.Append(nil); err != nil {
			return false, err
		}
	}
	return bytes.Equal(rest[0], rest[1]), nil
}

// renewChunks renews the records of chunks.
func (f *Reader) renewChunks(file File) error {
	var d chunk.Decoder
	setUp(&d, f.h, f.cfg.limits)
	var buf, out []byte
	for n := range f.NumChunks() {
		it, err := f.fetch(buf, n)
		if err != nil {
			return err
		}
		buf = it.Chunk[:0]
		f.cfg.reported(it, 0, f.size)
		if it.Verify() == nil {
			continue
		}
		if out, err = d.Decode(out[:0], it.Chunk); err != nil {
			return blosc2.At(err, n, it.Offset)
		}
		if _, err := file.WriteAt(framing.AppendChunkRecord(nil, it.Chunk), it.Offset+int64(len(it.Chunk))); err != nil {
			return err
		}
	}
	return nil
}

// renewTail renews the record between index and trailer.
func (f *Reader) renewTail(file File) error {
	at := f.trailerAt - recordLen
	begin := f.indexAt() - endMarkLen
	all, err := f.bytesAt(blosc2.PartIndex, begin, f.frameLen-begin)
	if err != nil {
		return err
	}
	digest := newDigest(all[:at-begin])
	digest.Write(all[f.trailerAt-begin:])
	_, err = file.WriteAt(record{kind: kindTail, value: digest.Sum64()}.append(nil), at)
	return err
}
