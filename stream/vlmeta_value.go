package stream

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// SetVLMetaValue sets a vlmetalayer to the msgpack encoding of v, like
// schunk.vlmeta[name] = v in python-blosc2. See meta.Encode for the types of v,
// and SetVLMeta for when it can be called. A nil v is a value too; use
// SetVLMeta to delete.
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
// time.Time or meta.Ext. ok is false if there is none of that name. A value
// that is not msgpack, which only VLMeta reads, results in blosc2.ErrCorrupt; other
// errors are those of VLMetalayers.
func (r *Reader) VLMetaValue(name string) (v any, ok bool, err error) {
	b, ok, err := r.VLMeta(name)
	if !ok || err != nil {
		return nil, ok, err
	}
	if v, err = meta.Decode(b); err != nil {
		return nil, true, blosc2.Errorf(blosc2.PartVLMeta, err, "%q is not valid msgpack", name)
	}
	return v, true, nil
}
