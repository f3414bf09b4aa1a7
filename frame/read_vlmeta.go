package frame

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// VLMetaValue returns the value of one vlmetalayer as meta.Decode reads it: nil,
// bool, int64, uint64, float32, float64, string, []byte, []any, meta.Map, time.Time
// or meta.Ext. ok is false if there is none of that name. A value that is not
// msgpack results in blosc2.ErrCorrupt; only VLMeta reads it.
func (f *Reader) VLMetaValue(name string) (v any, ok bool, err error) {
	b, ok, err := f.VLMeta(name)
	if !ok || err != nil {
		return nil, ok, err
	}
	if v, err = meta.Decode(b); err != nil {
		return nil, true, blosc2.Errorf(blosc2.PartVLMeta, err, "%q is not valid msgpack", name)
	}
	return v, true, nil
}

// SetVLMetaValue sets a vlmetalayer to the msgpack encoding of v, like
// schunk.vlmeta[name] = v in python-blosc2: see meta.Encode for the types of v.
// A nil v is a value too; use SetVLMeta to delete.
func (e *Editor) SetVLMetaValue(name string, v any) error {
	if e.err != nil {
		return e.err
	}
	b, err := meta.Encode(nil, v)
	if err != nil {
		return err
	}
	return e.SetVLMeta(name, b)
}

// SetVLMetaValue sets a vlmetalayer to the msgpack encoding of v: see
// Editor.SetVLMetaValue.
func (s *Sparse) SetVLMetaValue(name string, v any) error {
	b, err := meta.Encode(nil, v)
	if err != nil {
		return err
	}
	return s.SetVLMeta(name, b)
}
