package containertest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

func openBytes(b []byte) (*frame.Reader, error) {
	return frame.Open(bytes.NewReader(b), int64(len(b)))
}

func has(f *frame.Reader, name string) bool {
	_, ok := f.Metalayer(name)
	return ok
}

// metalayer returns the map in a metalayer.
func metalayer(f *frame.Reader, name string) (pairs, error) {
	b, _ := f.Metalayer(name)
	v, err := unpack(b)
	if m, ok := v.(pairs); ok || err != nil {
		return m, err
	}
	return nil, fmt.Errorf("metalayer %s is not a map", name)
}

// vlmeta returns the value of a vlmetalayer, or nil if there is none.
func vlmeta(f *frame.Reader, name string) (any, error) {
	b, ok, err := f.VLMeta(name)
	if err != nil || !ok {
		return nil, err
	}
	return unpack(b)
}

// userMeta returns the vlmetalayers that belong to the user.
func userMeta(f *frame.Reader, own ...string) (map[string]any, error) {
	layers, err := f.VLMetalayers()
	if err != nil {
		return nil, err
	}
	m := map[string]any{}
	for _, l := range layers {
		if slices.Contains(own, l.Name) {
			continue
		}
		v, err := unpack(l.Value)
		if err != nil {
			return nil, fmt.Errorf("vlmetalayer %s: %w", l.Name, err)
		}
		if m[l.Name], err = show(v); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// with adds the user's vlmetalayers to the contents of a frame.
func with(content map[string]any, f *frame.Reader, own ...string) (any, error) {
	m, err := userMeta(f, own...)
	if len(m) > 0 {
		content["vlmeta"] = m
	}
	return content, err
}

// frameContent returns the contents of a frame of any kind.
func frameContent(f *frame.Reader) (any, error) {
	switch {
	case has(f, "proxy-source"):
		return recipe(f, "proxy cache", "proxy-source")
	case has(f, "b2o"):
		return recipe(f, "carrier", "b2o")
	case has(f, "listarray"):
		rows, err := items(f)
		if err != nil {
			return nil, err
		}
		shown, err := show(rows)
		return map[string]any{"type": "listarray", "rows": shown}, err
	case has(f, "vlarray"):
		l, err := items(f)
		if err != nil {
			return nil, err
		}
		shown, err := showAll(l)
		if err != nil {
			return nil, err
		}
		return with(map[string]any{"type": "objectarray", "items": shown}, f)
	case has(f, "batcharray"):
		return batchContent(f)
	case has(f, "b2embed"), has(f, "b2dict"), has(f, "b2tree"):
		s, err := embedded(f)
		if err != nil {
			return nil, err
		}
		if _, ok := s.nodes["/_meta"]; ok {
			return s.table("")
		}
		return s.content("embedstore")
	case has(f, "b2nd"):
		return arrayContent(f)
	}
	p, err := payload(f)
	if err != nil {
		return nil, err
	}
	content := map[string]any{"type": "schunk", "nbytes": f.Size(), "sha256": sum(p)}
	if v, err := vlmeta(f, "__pack_tensor__"); err != nil || v != nil {
		if err != nil {
			return nil, err
		}
		t := v.([]any) // a tensor is a list of "__tuple__", kind, shape and dtype
		content["type"], content["shape"] = "tensor", t[2].([]any)[1:]
		content["dtype"] = dtypeText(t[3])
	}
	return with(content, f)
}

// dtypeText returns a dtype as NumPy prints it.
func dtypeText(v any) string {
	fields, ok := v.([]any)
	if !ok {
		return v.(string)
	}
	s := "["
	for i, field := range fields {
		if i > 0 {
			s += ", "
		}
		t := field.([]any)
		s += fmt.Sprintf("('%v', '%v')", t[1], t[2])
	}
	return s + "]"
}

func payload(f *frame.Reader) ([]byte, error) {
	p := make([]byte, f.Size())
	if len(p) == 0 {
		return p, nil
	}
	_, err := f.ReadAt(p, 0)
	return p, err
}

// recipe returns the description of an array with values that are not all in the
// file.
func recipe(f *frame.Reader, kind, layer string) (any, error) {
	m, err := metalayer(f, layer)
	if err != nil {
		return nil, err
	}
	shown, err := show(m)
	if err != nil {
		return nil, err
	}
	v, err := userMeta(f)
	content := map[string]any{"type": kind, "meta": map[string]any{layer: shown}, "vlmeta": v}
	if err == nil && has(f, "b2nd") {
		var a *b2nd.Array
		if a, err = b2nd.FromFrame(f); err == nil {
			content["shape"], content["dtype"] = integers(a.Shape()), a.Descriptor().DType
		}
	}
	return content, err
}

func integers(shape []int64) []any {
	l := []any{}
	for _, n := range shape {
		l = append(l, n)
	}
	return l
}

// An array is the bytes of an array in C order.
type array struct {
	dtype string
	shape []int64
	size  int // bytes of an item
	bytes []byte
}

func readArray(f *frame.Reader) (array, error) {
	a, err := b2nd.FromFrame(f)
	if err != nil {
		return array{}, err
	}
	b, err := a.ReadAll()
	return array{a.Descriptor().DType, a.Shape(), a.ItemSize(), b}, err
}

func arrayContent(f *frame.Reader) (any, error) {
	a, err := readArray(f)
	if err != nil {
		return nil, err
	}
	content := map[string]any{"type": "ndarray", "dtype": a.dtype, "shape": integers(a.shape), "sha256": sum(a.bytes)}
	if t, ok := parseType(a.dtype); ok {
		l := []any{}
		for i := 0; i+a.size <= len(a.bytes) && a.size > 0; i += a.size {
			v, err := t.value(a.bytes[i : i+a.size])
			if err != nil {
				return nil, err
			}
			l = append(l, v)
		}
		content["values"] = l
	}
	return with(content, f)
}

// batches returns the values of a batch array, batch by batch.
func batches(f *frame.Reader) ([][]any, error) {
	m, err := metalayer(f, "batcharray")
	if err != nil {
		return nil, err
	}
	if s, _ := m.get("serializer"); s != any("msgpack") {
		return nil, fmt.Errorf("batches of serializer %v are not read", s)
	}
	var d chunk.Decoder
	framing.SetUp(&d, f.Header(), 0)
	all := [][]any{}
	for n := range f.NumChunks() {
		h, err := f.ChunkHeader(n)
		if err != nil {
			return nil, err
		}
		raw, err := f.RawChunk(nil, n)
		if err != nil {
			return nil, err
		}
		if !h.VLBlocks() {
			return nil, fmt.Errorf("batch %d does not have blocks of variable length", n)
		}
		batch := []any{}
		for i := range h.BlockSize { // BlockSize is the number of blocks
			block, err := d.DecodeVLBlock(nil, raw, i)
			if err != nil {
				return nil, err
			}
			v, err := unpack(block)
			if err != nil {
				return nil, err
			}
			batch = append(batch, v.([]any)...)
		}
		all = append(all, batch)
	}
	if v, err := vlmeta(f, "_batch_array_metadata"); err != nil {
		return nil, err
	} else if m, ok := v.(pairs); ok {
		lengths, _ := m.get("batch_lengths")
		for i, n := range lengths.([]any) {
			if i >= len(all) || n != any(int64(len(all[i]))) {
				return nil, fmt.Errorf("batch_lengths %v, but %d batches", lengths, len(all))
			}
		}
	}
	return all, nil
}

func batchContent(f *frame.Reader) (any, error) {
	all, err := batches(f)
	if err != nil {
		return nil, err
	}
	l := []any{}
	for _, b := range all {
		shown, err := showAll(b)
		if err != nil {
			return nil, err
		}
		l = append(l, shown)
	}
	m, _ := metalayer(f, "batcharray")
	n, _ := m.get("items_per_block")
	return with(map[string]any{"type": "batcharray", "serializer": "msgpack", "items_per_block": n, "batches": l}, f, "_batch_array_metadata")
}

// items returns the values of an object, batch or list array.
func items(f *frame.Reader) ([]any, error) {
	l := []any{}
	if has(f, "batcharray") {
		all, err := batches(f)
		for _, b := range all {
			l = append(l, b...)
		}
		return l, err
	}
	for n := range f.NumChunks() {
		b, err := f.Chunk(nil, n)
		if err != nil {
			return nil, err
		}
		v, err := unpack(b)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", n, err)
		}
		l = append(l, v)
	}
	return l, nil
}

// showAll shows values that are not a list in the file, so that "__tuple__" at the
// beginning is a value.
func showAll(l []any) ([]any, error) {
	out := []any{}
	for _, v := range l {
		shown, err := show(v)
		if err != nil {
			return nil, err
		}
		out = append(out, shown)
	}
	return out, nil
}
