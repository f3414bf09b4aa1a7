package stream

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// SetVLMeta sets a vlmetalayer: a named value after the chunks, which can be
// set until Close. Names have 1 to 31 bytes, none of them zero, and there may
// be 16. The value is copied; nil deletes. It can be any bytes, but
// python-blosc2 reads only msgpack, which SetVLMetaValue writes, and raises an
// error on others.
func (w *Writer) SetVLMeta(name string, value []byte) error {
	if err := w.ready(); err != nil {
		return err
	}
	at := slices.IndexFunc(w.vlmeta, func(l meta.Layer) bool { return l.Name == name })
	switch {
	case len(name) < 1 || len(name) > meta.MaxName || strings.ContainsRune(name, 0):
		return &blosc2.OptionError{Option: "vlmetalayer name", Value: fmt.Sprintf("%.40q", name), Range: "1 to 31 bytes without NUL"}
	case w.cfg.layout == header.Layout2019:
		return &blosc2.OptionError{Option: "vlmetalayers", Value: 1, Range: "none in the layout of 2019"}
	case at < 0 && value != nil && len(w.vlmeta) == meta.MaxLayers:
		return &blosc2.OptionError{Option: "vlmetalayers", Value: meta.MaxLayers + 1, Range: "at most 16"}
	}
	if value != nil {
		value = append([]byte{}, value...)
	}
	if w.frame != nil {
		if err := w.frame.SetVLMeta(name, value); err != nil {
			return err
		}
	}
	w.metaDirty = w.metaDirty || at < 0 || value == nil || !bytes.Equal(w.vlmeta[at].Value, value)
	switch {
	case at >= 0 && value == nil:
		w.vlmeta = slices.Delete(w.vlmeta, at, at+1)
	case at >= 0:
		w.vlmeta[at].Value = value
	case value != nil:
		w.vlmeta = append(w.vlmeta, meta.Layer{Name: name, Value: value})
	}
	w.dirty = true
	return nil
}

// updateMetalayer implements framing.RowWriter.
func (w *Writer) updateMetalayer(name string, value []byte) (ok bool, err error) {
	if err := w.ready(); err != nil {
		return false, err
	}
	at := slices.IndexFunc(w.cfg.layers, func(l meta.Layer) bool { return l.Name == name })
	if at < 0 {
		return false, &blosc2.OptionError{Option: "metalayer", Value: name, Range: "in the frame"}
	}
	if n := len(w.cfg.layers[at].Value); n != len(value) {
		return false, &blosc2.OptionError{Option: "length of metalayer " + name, Value: len(value), Range: fmt.Sprintf("%d, as before", n)}
	}
	if w.frame != nil && !w.sink.Patchable() {
		return false, nil
	}
	w.cfg.layers[at].Value = slices.Clone(value)
	if w.frame == nil {
		return true, nil
	}
	if err := w.frame.SetMetalayer(name, value); err != nil {
		return false, err
	}
	w.dirty = true
	if w.log != nil {
		return true, nil // the next commit writes the header
	}
	part, err := w.frame.AppendHeader(w.part[:0])
	if err == nil {
		err = w.sink.Patch(part, 0)
	}
	if err != nil {
		return false, w.abort(err)
	}
	return true, nil
}
