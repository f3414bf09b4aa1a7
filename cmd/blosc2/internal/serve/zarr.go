package serve

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/names"
	"github.com/seed03b80dae/blosc2/filter"
	"github.com/seed03b80dae/blosc2/meta"
)

const zarrMeta = "zarr.json"

// zarr answers with a key of a Zarr v3 store: the metadata of an array or a folder,
// or a chunk of an array.
func (s *Server) zarr(w http.ResponseWriter, r *http.Request) error {
	p := r.PathValue("path")
	if p == zarrMeta || strings.HasSuffix(p, "/"+zarrMeta) {
		return s.zarrNode(w, r, strings.TrimSuffix(strings.TrimSuffix(p, zarrMeta), "/"))
	}
	name, index, ok := chunkKey(p)
	if !ok {
		return errMissing
	}
	r.SetPathValue("path", name)
	_, h, d, release, err := s.opened(r)
	if err != nil {
		return err
	}
	defer release()
	window, err := d.chunkWindow(index)
	if err != nil {
		return err
	}
	if tagged(w, r, h.etag("-z"+join(index))) {
		return nil
	}
	free, err := s.budget.acquire(r.Context(), 3*d.chunkBytes()+1<<20, s.Wait)
	if err != nil {
		return err
	}
	defer free()
	b, err := d.zarrChunk(window)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	limitWriting(w, int64(len(b)))
	http.ServeContent(w, r, "", h.mod, bytes.NewReader(b))
	return nil
}

// chunkKey splits the key of a chunk, such as a.b2nd/c/0/3.
func chunkKey(key string) (name string, index []int64, ok bool) {
	words := strings.Split(key, "/")
	for i := len(words) - 1; i >= 0; i-- {
		if words[i] == "c" {
			slices.Reverse(index)
			return strings.Join(words[:i], "/"), index, true
		}
		n, err := strconv.ParseInt(words[i], 10, 64)
		if err != nil || n < 0 || len(index) > b2nd.MaxDim || strconv.FormatInt(n, 10) != words[i] {
			break
		}
		index = append(index, n)
	}
	return "", nil, false
}

// chunkWindow returns the items of a chunk, without padding.
func (d *dataset) chunkWindow(index []int64) (b2nd.Window, error) {
	if len(index) != len(d.shape) {
		return nil, errMissing
	}
	w := make(b2nd.Window, len(index))
	for i, n := range index {
		if n >= (d.shape[i]+d.chunks[i]-1)/d.chunks[i] {
			return nil, errMissing
		}
		w[i] = b2nd.Span{Start: n * d.chunks[i], Stop: min((n+1)*d.chunks[i], d.shape[i]), Step: 1}
	}
	return w, nil
}

// zarrChunk returns a chunk, padded with zeros, compressed for Zarr.
func (d *dataset) zarrChunk(w b2nd.Window) ([]byte, error) {
	n := item.Count(w.Shape()) * d.itemBytes()
	part := make([]byte, n)
	if err := d.read(part, w); err != nil {
		return nil, err
	}
	if n < d.chunkBytes() {
		whole := make([]byte, d.chunkBytes())
		pad(whole, part, d.chunks, w, d.itemBytes())
		part = whole
	}
	return filter.EncodeZarr(nil, part, d.blosc())
}

// pad copies the items of a window into a chunk.
func pad(dst, src []byte, chunks []int64, w b2nd.Window, item int64) []byte {
	if len(w) == 0 {
		copy(dst, src[:item])
		return src[item:]
	}
	stride := item * product(chunks[1:])
	for i := range w[0].Len() {
		if len(w) == 1 {
			n := w[0].Len() * item
			copy(dst, src[:n])
			return src[n:]
		}
		src = pad(dst[i*stride:], src, chunks[1:], w[1:], item)
	}
	return src
}

// blosc returns the settings with which chunks are compressed for Zarr. They are fast,
// because each request compresses a chunk.
func (d *dataset) blosc() filter.Zarr {
	z := filter.Zarr{Codec: blosc2.CodecLZ4, Level: 5, Shuffle: blosc2.FilterShuffle, TypeSize: int(d.itemBytes())}
	if z.TypeSize > 255 {
		z.TypeSize, z.Shuffle = 1, blosc2.FilterNone
	}
	return z
}

// zarrNode answers with the metadata of an array or a folder.
func (s *Server) zarrNode(w http.ResponseWriter, r *http.Request, p string) error {
	at, err := s.find(p)
	if err != nil {
		return err
	}
	node, err := s.zarrMetadata(r, at)
	if err != nil {
		return err
	}
	return answerJSON(w, r, node)
}

type object map[string]any

func (s *Server) zarrMetadata(r *http.Request, at *spot) (object, error) {
	if at.place != nil && (at.whole || !at.info.IsDir()) {
		h, release, err := s.files.open(at)
		if err != nil {
			return nil, err
		}
		defer release()
		if d, err := h.dataset(s.files, at.key); err == nil {
			return d.metadataV3()
		} else if h.store == nil && h.members == nil {
			return nil, err
		}
	}
	l, err := s.list(r, at)
	if err != nil {
		return nil, err
	}
	below := object{}
	for _, e := range l.Entries {
		if e.Shape == nil && e.Kind != "folder" && e.Kind != kindStore && e.Kind != "group" {
			continue
		}
		if e.DType == "" { // it is not an array
			below[e.Name] = object{"zarr_format": 3, "node_type": "group", "attributes": object{}}
			continue
		}
		child, err := s.find(path.Join(at.path, e.Name))
		if err != nil {
			continue
		}
		if node, err := s.zarrMetadata(r, child); err == nil {
			below[e.Name] = node
		}
	}
	return object{
		"zarr_format": 3, "node_type": "group", "attributes": object{},
		"consolidated_metadata": object{"kind": "inline", "must_understand": false, "metadata": below},
	}, nil
}

// metadataV3 returns the zarr.json of the array.
func (d *dataset) metadataV3() (object, error) {
	dtype, fill := zarrType(d.dtype)
	blosc, err := d.blosc().V3()
	if err != nil {
		return nil, err
	}
	bytesCodec := object{"name": "bytes"}
	switch {
	case plainBytes(d.dtype):
	case d.dtype.Order == '>':
		bytesCodec["configuration"] = object{"endian": "big"}
	case d.dtype.Order == '<', d.dtype.Kind == meta.Struct:
		bytesCodec["configuration"] = object{"endian": "little"}
	}
	node := object{
		"zarr_format": 3, "node_type": "array", "shape": d.shape, "data_type": dtype, "fill_value": fill,
		"chunk_grid":         object{"name": "regular", "configuration": object{"chunk_shape": d.chunks}},
		"chunk_key_encoding": object{"name": "default", "configuration": object{"separator": "/"}},
		"codecs":             []any{bytesCodec, object{"name": "blosc", "configuration": json.RawMessage(blosc)}},
		"attributes":         d.attributes(),
	}
	if dims := names.Dimensions(d.said, len(d.shape)); dims != nil {
		node["dimension_names"] = dims
	}
	return node, nil
}

// attributes returns the vlmetalayers that are msgpack.
func (d *dataset) attributes() object {
	all := object{}
	if d.zarr != nil {
		json.Unmarshal(d.zarr.array.Attributes, &all) // attributes that are not an object are omitted
	}
	if d.frame == nil {
		return all
	}
	layers, err := d.frame.VLMetalayers()
	if err != nil {
		return all
	}
	for _, l := range layers {
		if v, err := meta.Decode(l.Value); err == nil && l.Name != meta.B2NDName {
			if text, err := meta.JSON(v); err == nil {
				all[l.Name] = json.RawMessage(text)
			}
		}
	}
	return all
}
