package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
)

const (
	wavSuffix = ".wav"
	wavLayer  = "wav" // name of the metalayer, a map of the bytes before and after the samples
	wavMost   = 1 << 16
)

// A wav is a sound file: an array of samples with a column for each channel, and
// the bytes before and after the samples.
type wav struct {
	dtype      string
	channels   int64
	head, tail []byte
	size       int64 // number of bytes of the samples
}

// isWAV reports whether a name has the suffix of a sound file.
func isWAV(name string) bool { return strings.EqualFold(filepath.Ext(name), wavSuffix) }

// parseWAV finds the samples in a sound file. It returns nil for any other file,
// and for samples without a NumPy type; their bytes can still be compressed.
func parseWAV(r io.ReaderAt, size int64) *wav {
	var w wav
	at, format, width := int64(12), -1, int64(0)
	var b [16]byte
	if n, _ := r.ReadAt(b[:12], 0); n < 12 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WAVE" {
		return nil
	}
	for {
		if n, _ := r.ReadAt(b[:8], at); n < 8 {
			return nil
		}
		id, length := string(b[:4]), int64(binary.LittleEndian.Uint32(b[4:]))
		at += 8
		if id == "data" {
			w.size = length
			break
		}
		if id == "fmt " {
			if n, _ := r.ReadAt(b[:16], at); n < 16 || length < 16 {
				return nil
			}
			format = int(binary.LittleEndian.Uint16(b[:]))
			w.channels = int64(binary.LittleEndian.Uint16(b[2:]))
			width = int64(binary.LittleEndian.Uint16(b[12:]))
			w.dtype = sampleType(format, int(binary.LittleEndian.Uint16(b[14:])), extension(r, at, length))
		}
		at += length + length&1
	}
	d, err := meta.ParseDType(w.dtype)
	if err != nil || w.channels == 0 || width != w.channels*int64(d.Size) || w.size%width != 0 ||
		at+w.size > size || at > wavMost || size-at-w.size > wavMost {
		return nil
	}
	w.head, w.tail = make([]byte, at), make([]byte, size-at-w.size)
	if n, _ := r.ReadAt(w.head, 0); n < len(w.head) {
		return nil
	}
	if n, _ := r.ReadAt(w.tail, at+w.size); n < len(w.tail) {
		return nil
	}
	return &w
}

// extension returns the format that an extensible header names, or -1.
func extension(r io.ReaderAt, at, length int64) int {
	var b [2]byte
	if n, _ := r.ReadAt(b[:], at+24); n < 2 || length < 26 {
		return -1
	}
	return int(binary.LittleEndian.Uint16(b[:]))
}

// sampleType returns the NumPy type of samples of a format and a number of bits, or
// "".
func sampleType(format, bits, extended int) string {
	const pcm, float, extensible = 1, 3, 0xfffe
	if format == extensible {
		format = extended
	}
	switch {
	case format == pcm && bits == 8:
		return "|u1"
	case format == pcm && (bits == 16 || bits == 32):
		return fmt.Sprintf("<i%d", bits/8)
	case format == float && (bits == 32 || bits == 64):
		return fmt.Sprintf("<f%d", bits/8)
	}
	return ""
}

// shape returns the shape of the array of samples.
func (w *wav) shape() []int64 {
	d, err := meta.ParseDType(w.dtype)
	if err != nil {
		return nil
	}
	n := w.size / int64(d.Size) / w.channels
	if w.channels == 1 {
		return []int64{n}
	}
	return []int64{n, w.channels}
}

// layer returns the metalayer with the bytes before and after the samples.
func (w *wav) layer() (meta.Layer, error) {
	value, err := meta.Encode(nil, meta.Map{{Key: "head", Value: w.head}, {Key: "tail", Value: w.tail}})
	return meta.Layer{Name: wavLayer, Value: value}, err
}

// around returns the bytes before and after the samples, from the metalayer.
func around(layers []meta.Layer) (head, tail []byte, ok bool) {
	m, _ := fieldsOf(layers, wavLayer)
	h, _ := m.Get("head")
	t, _ := m.Get("tail")
	head, okHead := h.([]byte)
	tail, okTail := t.([]byte)
	return head, tail, okHead && okTail
}

// wavContent describes the array of a sound file. It returns nil for any other file.
func wavContent(f file) (*content, error) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	w := parseWAV(f, info.Size())
	if w == nil {
		return nil, nil
	}
	layer, err := w.layer()
	return &content{
		array:  &b2nd.Spec{DType: w.dtype, Shape: w.shape()},
		data:   io.NewSectionReader(f, int64(len(w.head)), w.size),
		layers: []meta.Layer{layer},
	}, err
}
