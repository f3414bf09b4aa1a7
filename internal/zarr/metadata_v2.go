package zarr

import (
	"encoding/json"
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filter"
	"github.com/seed03b80dae/blosc2/meta"
)

// ParseV2 reads the .zarray of an array.
func ParseV2(b []byte) (*Metadata, error) {
	var j struct {
		Format     int             `json:"zarr_format"`
		Shape      []int64         `json:"shape"`
		Chunks     []int64         `json:"chunks"`
		DType      json.RawMessage `json:"dtype"`
		Compressor json.RawMessage `json:"compressor"`
		Fill       json.RawMessage `json:"fill_value"`
		Order      string          `json:"order"`
		Filters    []struct {
			ID string `json:"id"`
		} `json:"filters"`
		Separator string `json:"dimension_separator"`
	}
	if err := json.Unmarshal(b, &j); err != nil {
		return nil, corrupt("invalid .zarray: %v", err)
	}
	if j.Format != 2 {
		return nil, unsupported("format %d in .zarray; must be 2", j.Format)
	}
	m := &Metadata{Format: 2, Shape: j.Shape, Chunks: j.Chunks, Separator: j.Separator}
	if m.Strings = string(j.DType) == `"|O"` && len(j.Filters) == 1 && j.Filters[0].ID == "vlen-utf8"; m.Strings {
		j.DType = json.RawMessage(`"<U1"`) // replaced after the chunks have been measured
	} else if len(j.Filters) > 0 {
		return nil, unsupported("filter %q of format 2", j.Filters[0].ID)
	}
	if m.Separator == "" {
		m.Separator = "."
	}
	var text string
	if err := json.Unmarshal(j.DType, &text); err != nil {
		return nil, unsupported("dtype %s", j.DType)
	}
	var err error
	if m.DType, err = meta.ParseDType(text); err != nil {
		return nil, err
	}
	if m.DType.Size < 1 || m.DType.Kind == meta.Opaque {
		return nil, unsupported("dtype %s", text)
	}
	if j.Order == "F" && len(m.Shape) > 1 {
		for d := range m.Shape {
			m.Axes = append(m.Axes, len(m.Shape)-1-d)
		}
	}
	var c struct {
		ID string `json:"id"`
	}
	if len(j.Compressor) > 0 && string(j.Compressor) != "null" {
		if err := json.Unmarshal(j.Compressor, &c); err != nil {
			return nil, corrupt("invalid compressor: %v", err)
		}
		switch c.ID {
		case "blosc":
			z, err := filter.ParseZarrV2(j.Compressor, m.DType.Size)
			if err != nil {
				return nil, err
			}
			m.Bytes = []Codec{{"blosc", z}}
		case "zstd", "gzip", "zlib":
			m.Bytes = []Codec{{Name: c.ID}}
		default:
			return nil, unsupported("compressor %q", c.ID)
		}
	}
	if m.Strings {
		if string(j.Fill) == "0" {
			j.Fill = nil
		}
		err = m.fillText(j.Fill)
	} else {
		m.Fill, err = fillItem(j.Fill, m.DType)
	}
	if err != nil {
		return nil, err
	}
	return m, m.check()
}

// maxChunk is the largest size of a chunk or shard, in bytes.
const maxChunk = 1 << 30

// check checks the sizes, which are read from a file.
func (m *Metadata) check() error {
	n := len(m.Shape)
	if n > meta.MaxDims {
		return unsupported("%d dimensions; must be at most 16", n)
	}
	if len(m.Chunks) != n || m.Inner != nil && len(m.Inner) != n || m.Axes != nil && len(m.Axes) != n {
		return corrupt("different numbers of dimensions: shape %v, chunks %v, inner chunks %v, axes %v", m.Shape, m.Chunks, m.Inner, m.Axes)
	}
	size, whole := int64(m.DType.Size), int64(m.DType.Size)
	seen := make([]bool, n)
	for d := range n {
		if m.Shape[d] < 0 || m.Chunks[d] < 1 || m.Inner != nil && (m.Inner[d] < 1 || m.Chunks[d]%m.Inner[d] != 0) {
			return corrupt("invalid shape %v, chunks %v or inner chunks %v", m.Shape, m.Chunks, m.Inner)
		}
		if size > maxChunk/m.Chunks[d] {
			return fmt.Errorf("blosc2: Zarr: chunks of shape %v: %w", m.Chunks, blosc2.ErrTooLarge)
		}
		size *= m.Chunks[d]
		if m.Shape[d] > 0 {
			if whole > (1<<62)/m.Shape[d] {
				return fmt.Errorf("blosc2: Zarr: an array of shape %v: %w", m.Shape, blosc2.ErrTooLarge)
			}
			whole *= m.Shape[d]
		}
		if m.Axes != nil {
			if a := m.Axes[d]; a < 0 || a >= n || seen[a] {
				return corrupt("invalid axes %v", m.Axes)
			}
			seen[m.Axes[d]] = true
		}
	}
	return nil
}
