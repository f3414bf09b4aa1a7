package header

import "github.com/seed03b80dae/blosc2/meta"

// These bytes precede each layout in the generated code, both when it writes and when it
// reads: an msgpack array with as many parts as the struct has fields. They do not count
// the metalayers that follow.
const (
	leadLayout2019    = 0x9b
	leadLayoutBeta    = 0x9c
	leadLayoutCurrent = 0x9d
)

// unmarshalFixed reads the fields up to the metalayers. It changes the first
// byte of b.
func unmarshalFixed(g Generation, b []byte) (layoutCurrent, error) {
	switch {
	case g.hasBlockSize():
		b[0] = leadLayoutCurrent
		var f layoutCurrent
		_, err := f.UnmarshalMsg(b)
		return f, err
	case g.hasPipeline():
		b[0] = leadLayoutBeta
		var f layoutBeta
		_, err := f.UnmarshalMsg(b)
		return f.current(), err
	}
	b[0] = leadLayout2019
	var f layout2019
	_, err := f.UnmarshalMsg(b)
	return f.current(), err
}

// marshalFixed appends the fields up to the metalayers, with the first byte
// still to be corrected.
func marshalFixed(g Generation, dst []byte, f layoutCurrent) ([]byte, error) {
	switch {
	case g.hasBlockSize():
		return f.MarshalMsg(dst)
	case g.hasPipeline():
		beta := f.beta()
		return beta.MarshalMsg(dst)
	}
	oldest := f.oldest()
	return oldest.MarshalMsg(dst)
}

// Each older layout is the current one without some of its parts.

func (f layout2019) current() layoutCurrent {
	return layoutCurrent{
		HeaderLen: f.HeaderLen, FrameLen: f.FrameLen, Flags: f.Flags, NBytes: f.NBytes, CBytes: f.CBytes,
		TypeSize: f.TypeSize, ChunkSize: f.ChunkSize, TComp: f.TComp, TDecomp: f.TDecomp, Has: f.Has,
	}
}

func (f layoutBeta) current() layoutCurrent {
	return layoutCurrent{
		HeaderLen: f.HeaderLen, FrameLen: f.FrameLen, Flags: f.Flags, NBytes: f.NBytes, CBytes: f.CBytes,
		TypeSize: f.TypeSize, ChunkSize: f.ChunkSize, TComp: f.TComp, TDecomp: f.TDecomp, Has: f.Has,
		Pipeline: f.Pipeline,
	}
}

func (f layoutCurrent) oldest() layout2019 {
	return layout2019{
		HeaderLen: f.HeaderLen, FrameLen: f.FrameLen, Flags: f.Flags, NBytes: f.NBytes, CBytes: f.CBytes,
		TypeSize: f.TypeSize, ChunkSize: f.ChunkSize, TComp: f.TComp, TDecomp: f.TDecomp, Has: f.Has,
	}
}

func (f layoutCurrent) beta() layoutBeta {
	return layoutBeta{
		HeaderLen: f.HeaderLen, FrameLen: f.FrameLen, Flags: f.Flags, NBytes: f.NBytes, CBytes: f.CBytes,
		TypeSize: f.TypeSize, ChunkSize: f.ChunkSize, TComp: f.TComp, TDecomp: f.TDecomp, Has: f.Has,
		Pipeline: f.Pipeline,
	}
}

// unmarshalTrailer reads a trailer. User metadata becomes a layer without a
// name.
func unmarshalTrailer(k TrailerKind, b []byte) (w trailerCurrent, rest []byte, err error) {
	if k == TrailerCurrent {
		w.Section = (&Trailer{}).section()
		rest, err = w.UnmarshalMsg(b)
		return w, rest, err
	}
	var old trailerUserMeta
	rest, err = old.UnmarshalMsg(b)
	w = trailerCurrent{Version: old.Version, Len: old.Len, Fingerprint: old.Fingerprint}
	if len(old.UserMeta) > 0 {
		w.Section.Layers = []meta.Layer{{Value: old.UserMeta}}
	}
	return w, rest, err
}

// marshalTrailer appends a trailer; it is the inverse of unmarshalTrailer.
func marshalTrailer(k TrailerKind, dst []byte, w trailerCurrent) ([]byte, error) {
	if k == TrailerCurrent {
		return w.MarshalMsg(dst)
	}
	old := trailerUserMeta{Version: w.Version, Len: w.Len, Fingerprint: w.Fingerprint}
	for _, l := range w.Section.Layers {
		old.UserMeta = l.Value
	}
	return old.MarshalMsg(dst)
}
