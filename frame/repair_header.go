package frame

import (
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// maxCorrected is the length of the longest header in which changes of every byte are
// tried: there are 255 for each byte, and each takes a digest of the header.
const maxCorrected = 4 << 10

// readHeader reads the header. If its digest is wrong, it tries every change of one byte.
// If none makes the digest right, it rebuilds the header from the rest of the frame.
func (r *repairer) readHeader() error {
	b := make([]byte, min(r.size, r.o.limits.Header))
	n, err := r.src.ReadAt(b[:min(int64(len(b)), firstRead)], 0)
	if err != nil && err != io.EOF {
		return err
	}
	if head := findCopy(r.src, b[:n], r.size, r.o.limits.Header, make([]byte, recordLen)); head != nil {
		r.src = overlay{head, r.src}
		n = max(n, copy(b, head))
	}
	if size, err := header.Size(b[:n]); err == nil && size+recordLen > n {
		if n, err = r.src.ReadAt(b[:min(len(b), size+recordLen)], 0); err != nil && err != io.EOF {
			return err
		}
	}
	b = b[:n]
	if h, raw, ok := checkedHeader(b); ok {
		r.h, r.raw, r.verified = h, raw, true
		return r.flags()
	}
	if h, raw, ok := correctHeader(b); ok {
		r.h, r.raw, r.verified, r.rep.Mended = h, raw[:len(raw)-recordLen], true, true
		r.src = overlay{raw, r.src}
		return r.flags()
	}
	err = r.uncheckedHeader()
	if err == nil {
		if h, raw, ok := r.correctSizes(b); ok {
			r.h, r.raw, r.verified, r.rep.Mended = h, raw[:len(raw)-recordLen], true, true
			r.src = overlay{raw, r.src}
			return r.flags()
		}
		if raw := r.unrecorded(b); raw != nil {
			r.src, r.verified = overlay{raw, r.src}, true
			return r.flags()
		}
		m, _ := readMark(r.h)
		if _, _, ok := headerRecord(b); m.edited || !m.holds && !ok {
			return r.flags() // the frame is by another program, which does not write records
		}
	}
	if r.rebuildHeader() {
		return nil
	}
	if err != nil {
		return err
	}
	return r.flags()
}

// correctSizes reports whether the header is valid with the three sizes of its mark, or
// with the sizes of the header in the mark. If so it makes that change.
func (r *repairer) correctSizes(b []byte) (*header.Header, []byte, bool) {
	n := len(r.raw)
	i := slices.IndexFunc(r.h.Layers, func(l meta.Layer) bool { return l.Name == meta.StreamName })
	if i < 0 || len(b) < n+recordLen {
		return nil, nil, false
	}
	if s, err := meta.ParseStream(r.h.Layers[i].Value); err == nil {
		h := *r.h
		h.FrameLen, h.NBytes, h.CBytes = s.FrameLen, s.NBytes, s.CBytes
		if raw, err := h.Append(nil); err == nil {
			if h, raw, ok := checkedCopy(append(raw, b[n:n+recordLen]...)); ok {
				return h, raw, true
			}
		}
	}
	for flags := range 8 { // all combinations of the mark's flags: ordered, checked and open
		s := meta.NewStream(flags&1 != 0, flags&2 != 0)
		s.Open, s.FrameLen, s.NBytes, s.CBytes = flags&4 != 0, r.h.FrameLen, r.h.NBytes, r.h.CBytes
		value, err := s.Append(nil)
		if err != nil {
			return nil, nil, false
		}
		h := *r.h
		h.Layers = slices.Clone(h.Layers)
		h.Layers[i].Value = value
		raw, err := h.Append(nil)
		if err != nil {
			return nil, nil, false
		}
		if h, raw, ok := checkedCopy(append(raw, b[n:n+recordLen]...)); ok {
			return h, raw, true
		}
	}
	return nil, nil, false
}

// unrecorded returns the header with a new record, if the frame can be opened with it.
func (r *repairer) unrecorded(b []byte) []byte {
	n := len(r.raw)
	m, _ := readMark(r.h)
	if !m.checks || len(b) < n+recordLen {
		return nil
	}
	if rec, ok := parseRecord(b[n:]); ok && rec.kind == kindHeader {
		return nil
	}
	raw := append(append([]byte(nil), r.raw...), record{kind: kindHeader, value: framing.Digest(r.raw)}.append(nil)...)
	if _, err := Open(overlay{raw, r.src}, r.size, WithLimits(r.o.limits)); err != nil {
		return nil
	}
	return raw
}

// checkedHeader parses a header that is followed by a matching record.
func checkedHeader(b []byte) (*header.Header, []byte, bool) {
	n, err := header.Size(b)
	if err != nil || n > len(b)-recordLen {
		return nil, nil, false
	}
	rec, ok := parseRecord(b[n:])
	if !ok || rec.kind != kindHeader || rec.value != framing.Digest(b[:n]) {
		return nil, nil, false
	}
	h, err := header.Parse(b[:n])
	return h, b[:n], err == nil
}

// correctHeader tries to correct one byte in a header or in the record after it.
// raw is the header with its record.
func correctHeader(b []byte) (h *header.Header, raw []byte, ok bool) {
	n, rec, ok := headerRecord(b)
	if !ok {
		return ignoreRecord(b)
	}
	raw = append([]byte(nil), b[:n+recordLen]...)
	parse := func() bool {
		if rec.value != framing.Digest(raw[:n]) {
			return false
		}
		h, _, ok = checkedHeader(raw)
		return ok
	}
	for i := range min(n, maxCorrected) {
		was := raw[i]
		for v := range 256 {
			if raw[i] = byte(v); parse() {
				return h, raw, true
			}
		}
		raw[i] = was
	}
	return ignoreRecord(b)
}

// ignoreRecord accepts a header whose record is damaged in some bytes, if enough bytes of
// the digest are right.
func ignoreRecord(b []byte) (*header.Header, []byte, bool) {
	n, err := header.Size(b)
	if err != nil || n > len(b)-recordLen {
		return nil, nil, false
	}
	digest := framing.Digest(b[:n])
	if !digestMatches(b[n+8:], digest) {
		return nil, nil, false
	}
	return checkedCopy(append(b[:n:n], record{kind: kindHeader, value: digest}.append(nil)...))
}

// checkedCopy is like checkedHeader, and also returns the header with its record.
func checkedCopy(b []byte) (*header.Header, []byte, bool) {
	h, raw, ok := checkedHeader(b)
	if !ok {
		return nil, nil, false
	}
	return h, b[:len(raw)+recordLen], true
}

// headerRecord finds the record of the header. Its offset is the header's length.
func headerRecord(b []byte) (n int, rec record, ok bool) {
	for n = header.MinLen; n+recordLen <= len(b); n++ {
		if rec, ok := parseRecord(b[n:]); ok && rec.kind == kindHeader {
			return n, rec, true
		}
	}
	return 0, record{}, false
}

// uncheckedHeader reads a header without a valid digest.
func (r *repairer) uncheckedHeader() error {
	f := &Reader{origin: r.src, src: r.src, size: r.size, cfg: config{limits: r.o.limits}}
	if err := f.readHeader(); err != nil {
		return err
	}
	r.h, r.raw = f.h, f.raw
	return nil
}

// flags sets the properties that the mark states. If C-Blosc2 has edited the frame since,
// the chunks may be out of order and without records.
func (r *repairer) flags() error {
	if m, err := readMark(r.h); err == nil {
		r.order, r.checks = m.order != ByIndex, m.checks
	}
	if r.h.Generation != header.Current || r.h.Type != header.Contiguous {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "repairing a frame of the %s layout or of a directory", r.h.Generation)
	}
	return nil
}
