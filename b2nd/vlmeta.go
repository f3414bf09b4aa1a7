package b2nd

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// VLMeta returns the bytes of one vlmetalayer; ok is false if there is none of
// that name.
func (a *Array) VLMeta(name string) (value []byte, ok bool, err error) {
	return a.Frame().VLMeta(name)
}

// VLMetaValue returns the value of one vlmetalayer: see
// frame.Reader.VLMetaValue.
func (a *Array) VLMetaValue(name string) (v any, ok bool, err error) {
	return a.Frame().VLMetaValue(name)
}

// SetVLMetaValue sets a vlmetalayer to the msgpack encoding of v, until Close:
// see stream.Writer.SetVLMetaValue.
func (a *Writer) SetVLMetaValue(name string, v any) error { return a.w.SetVLMetaValue(name, v) }

// SetVLMeta sets a vlmetalayer to raw bytes; nil deletes it. Python-blosc2
// reads only msgpack, which SetVLMetaValue writes.
func (e *Editor) SetVLMeta(name string, value []byte) error {
	if err := reserved(name); err != nil {
		return err
	}
	return e.e.SetVLMeta(name, value)
}

// SetVLMetaValue sets a vlmetalayer to the msgpack encoding of v: see
// frame.Editor.SetVLMetaValue.
func (e *Editor) SetVLMetaValue(name string, v any) error {
	if err := reserved(name); err != nil {
		return err
	}
	return e.e.SetVLMetaValue(name, v)
}

// reserved returns an error for the name under which a growing array stores its
// shape.
func reserved(name string) error {
	if name == meta.B2NDName {
		return &blosc2.OptionError{Option: "vlmetalayer name", Value: name, Range: "another name, as this is reserved for the array"}
	}
	return nil
}
