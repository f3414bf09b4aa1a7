package frame_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Builder, Walker and Reader are reused for frames of all kinds in turn. That does not
// change the headers of earlier frames.
func TestReset(t *testing.T) {
	const size = 4000
	var builders [2]*frame.Builder
	for k := range builders {
		var err error
		if builders[k], err = frame.NewBuilder(&header.Header{TypeSize: 1}, frame.Checks(k == 0)); err != nil {
			t.Fatal(err)
		}
	}
	w := frame.NewWalker(nil)
	r := frame.NewReader(frame.SealedOnly())
	var headers []*header.Header
	var texts []string
	for round, n := range []int{100, 9 * size, 1, 3*size + 7, size, 0, 2 * size} {
		data := ramp(n)
		m := newMaker(t, size, building{Checks: round%2 == 0}, meta.Layer{Name: "round", Value: []byte{byte(round)}})
		h := *m.b.Header()
		h.Layers = []meta.Layer{{Name: "round", Value: []byte{byte(round)}}}
		b := builders[round%2]
		if err := b.Reset(&h); err != nil {
			t.Fatal(err)
		}
		m.b = b
		m.wire = m.must(b.AppendHeader(nil))
		m.head = bytes.Clone(m.wire)
		if round%3 == 0 {
			if err := b.SetVLMeta("note", []byte("hello")); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range cut(data, size) {
			m.chunk(c)
		}
		m.tail()
		sealed := m.sealed()
		if n == 0 {
			sealed = m.must(b.AppendEmpty(nil))
		}
		for what, src := range map[string][]byte{"sealed": sealed, "unsealed": m.unsealed(), "cut": sealed[:len(sealed)-1]} {
			w.Reset(bytes.NewReader(src))
			got, err := decodeItems(w.Next)
			if what == "cut" && !errors.Is(err, io.ErrUnexpectedEOF) || what != "cut" && (err != nil || !bytes.Equal(got, data)) {
				t.Errorf("round %d, %s, walked: %d bytes of %d: %v", round, what, len(got), n, err)
			}
			if vl, err := w.VLMeta(); what != "cut" && (err != nil || (len(vl) == 1) != (round%3 == 0)) {
				t.Errorf("round %d, %s: %d vlmetalayers, %v", round, what, len(vl), err)
			}
			err = r.Reset(bytes.NewReader(src), int64(len(src)))
			if what != "sealed" {
				if err != frame.ErrUnsealed {
					t.Errorf("round %d, %s: %v", round, what, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			got, err = decodeItems(r.Cursor(0).Next)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("round %d, by the index: %d bytes of %d: %v", round, len(got), n, err)
			}
			h, err := w.Header()
			if err == nil {
				headers = append(headers, h)
			}
			headers = append(headers, r.Header())
		}
		for len(texts) < len(headers) {
			texts = append(texts, text(t, headers[len(texts)]))
		}
		for i, h := range headers {
			if text(t, h) != texts[i] {
				t.Errorf("round %d: header %d has changed", round, i)
			}
		}
	}
	if err := r.Reset(bytes.NewReader([]byte("no frame at all, is it?")), 23); !errors.Is(err, blosc2.ErrCorrupt) {
		t.Errorf("no frame: %v", err)
	}
}

// decodeItems decodes all chunks that next returns.
func decodeItems(next func(buf []byte) (frame.Item, error)) (data []byte, err error) {
	var d chunk.Decoder
	for {
		it, err := next(nil)
		if err == io.EOF {
			return data, nil
		}
		if err == nil {
			err = it.Verify()
		}
		if err != nil {
			return data, err
		}
		framing.SetUp(&d, it.Header, 0)
		one, err := d.Decode(nil, it.Chunk)
		if err != nil {
			return data, err
		}
		data = append(data, one[it.Skip:]...)
	}
}
