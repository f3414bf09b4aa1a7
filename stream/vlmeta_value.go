package stream

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// SetVLMetaValue sets a vlmetalayer to v, which it writes as msgpack, as
// python-blosc2 does for schunk.vlmeta[name] = v: see meta.Encode for what v can
// be, and SetVLMeta for when it can be set. A v of nil is a value, too;
// SetVLMeta deletes.
func (w *Writer) SetVLMetaValue(name string, v any) error {
	if err := w.ready(); err != nil {
		return err
	}
	b, err := meta.Encode(nil, v)
	if err != nil {
		return err
	}
	return w.SetVLMeta(name, b)
}

// VLMetaValue returns the value of one vlmetalayer as meta.Decode reads it:
// nil, bool, int64, uint64, float32, float64, string, []byte, []any, meta.Map,
// time.Time or meta.Ext. ok is false where there is none of that name. A value
// that is not msgpack, which only VLMeta reads, is blosc2.ErrCorrupt; other errors
// are those of VLMetalayers.
func (r *Reader) VLMetaValue(name string) (v any, ok bool, err error) {
	b, ok, err := r.VLMeta(name)
	if !ok || err != nil {
		return nil, ok, err
	}
	if v, err = meta.Decode(b); err != nil {
		return nil, true, blosc2.Errorf(blosc2.PartVLMeta, err, "%q is not msgpack", name)
	}
	return v, true, nil
}
