package zarr

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filter"
	"github.com/seed03b80dae/blosc2/meta"
)

// These are the names of the files with metadata.
const (
	MetaV3  = "zarr.json"
	MetaV2  = ".zarray"
	groupV2 = ".zgroup"
	attrsV2 = ".zattrs"
	listV2  = ".zmetadata"
)

// Metadata describes how an array is stored.
type Metadata struct {
	Format     int // 2 or 3
	Shape      []int64
	Chunks     []int64    // shape of a chunk or, if there is Inner, of a shard
	Inner      []int64    // shape of the chunks in a shard, nil without shards
	DType      meta.DType // for Strings, the type of the longest string
	Strings    bool       // chunks hold strings of any length, which become items of one size
	Fill       []byte     // fill value, as an item
	Axes       []int      // the axes of the array in the order in which chunks store them, nil for C order
	Prefix     string     // prefix of the names of chunks: "c" in format 3
	Separator  string
	Bytes      []Codec // codecs of a chunk or inner chunk, in the order of encoding
	Index      []Codec // codecs of the index of a shard
	IndexFirst bool    // the index is at the beginning of a shard
	Attributes json.RawMessage
	Dimensions []string // names of the dimensions in format 3, "" for those without a name; or nil
}

// A Codec converts bytes to bytes.
type Codec struct {
	Name  string // blosc, zstd, gzip, zlib or crc32c
	Blosc filter.Zarr
}

// unsupported returns the error for a feature of Zarr that this package does not
// support.
func unsupported(format string, args ...any) error {
	return fmt.Errorf("blosc2: Zarr: "+format+": %w", append(args, blosc2.ErrUnsupported)...)
}

// corrupt returns the error for invalid metadata or data.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("blosc2: Zarr: "+format+": %w", append(args, blosc2.ErrCorrupt)...)
}

// A named is an object of format 3 with a name and a configuration.
type named struct {
	Name          string          `json:"name"`
	Configuration json.RawMessage `json:"configuration,omitempty"`
}

// UnmarshalJSON accepts an object, or a name alone.
func (n *named) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &n.Name)
	}
	type plain named
	return json.Unmarshal(b, (*plain)(n))
}

type metaV3 struct {
	Format     int             `json:"zarr_format"`
	NodeType   string          `json:"node_type"`
	Shape      []int64         `json:"shape"`
	DataType   named           `json:"data_type"`
	Grid       named           `json:"chunk_grid"`
	Keys       named           `json:"chunk_key_encoding"`
	Fill       json.RawMessage `json:"fill_value"`
	Codecs     []named         `json:"codecs"`
	Attributes json.RawMessage `json:"attributes"`
	Transforms []named         `json:"storage_transformers"`
	Dimensions []*string       `json:"dimension_names,omitempty"`
}

// ParseV3 reads the zarr.json of an array.
func ParseV3(b []byte) (*Metadata, error) {
	var j metaV3
	if err := json.Unmarshal(b, &j); err != nil {
		return nil, corrupt("invalid zarr.json: %v", err)
	}
	if j.Format != 3 || j.NodeType != "array" {
		return nil, unsupported("format %d, node type %q; must be an array of format 3", j.Format, j.NodeType)
	}
	if len(j.Transforms) > 0 {
		return nil, unsupported("storage transformer %q", j.Transforms[0].Name)
	}
	m := &Metadata{Format: 3, Shape: j.Shape, Attributes: j.Attributes}
	for _, name := range j.Dimensions {
		if name == nil {
			name = new(string)
		}
		m.Dimensions = append(m.Dimensions, *name)
	}
	var grid struct {
		Shape []int64 `json:"chunk_shape"`
	}
	if err := config(j.Grid, &grid, "regular"); err != nil {
		return nil, err
	}
	m.Chunks = grid.Shape
	keys := struct {
		Separator string `json:"separator"`
	}{}
	if err := config(j.Keys, &keys, "default", "v2"); err != nil {
		return nil, err
	}
	if m.Separator = keys.Separator; j.Keys.Name == "default" {
		m.Prefix = "c"
		if m.Separator == "" {
			m.Separator = "/"
		}
	} else if m.Separator == "" {
		m.Separator = "."
	}
	var err error
	if m.Strings = j.DataType.Name == "string"; m.Strings {
		m.DType, err = meta.ParseDType("<U1") // replaced after the chunks have been measured
	} else {
		m.DType, err = typeV3(j.DataType)
	}
	if err != nil {
		return nil, err
	}
	if err := m.codecsV3(j.Codecs); err != nil {
		return nil, err
	}
	if m.Strings {
		if err := m.fillText(j.Fill); err != nil {
			return nil, err
		}
		return m, m.check()
	}
	if m.Fill, err = fillItem(j.Fill, m.DType); err != nil {
		return nil, err
	}
	return m, m.check()
}

// config reads the configuration of an object with one of the given names.
func config(n named, v any, names ...string) error {
	if !slices.Contains(names, n.Name) {
		return unsupported("%q; must be %q", n.Name, names[0])
	}
	if len(n.Configuration) == 0 {
		return nil
	}
	if err := json.Unmarshal(n.Configuration, v); err != nil {
		return corrupt("invalid configuration of %q: %v", n.Name, err)
	}
	return nil
}

type shardingV3 struct {
	Shape  []int64 `json:"chunk_shape"`
	Codecs []named `json:"codecs"`
	Index  []named `json:"index_codecs"`
	Where  string  `json:"index_location,omitempty"`
}

// codecsV3 reads the codecs of an array, or of the inner chunks of its shards.
func (m *Metadata) codecsV3(codecs []named) error {
	hasBytes := false
	for _, c := range codecs {
		switch c.Name {
		case "transpose":
			var t struct {
				Order []int `json:"order"`
			}
			if err := config(c, &t, "transpose"); err != nil {
				return err
			}
			if m.Axes != nil || m.Inner != nil || hasBytes {
				return unsupported("transpose after another codec")
			}
			m.Axes = t.Order
		case "bytes", "endian":
			var e struct {
				Endian string `json:"endian"`
			}
			if err := config(c, &e, "bytes", "endian"); err != nil {
				return err
			}
			if m.Strings {
				return unsupported("codec %q for strings", c.Name)
			}
			hasBytes = true
			if m.DType.Order != '|' {
				m.DType.Order = '<'
				if e.Endian == "big" {
					m.DType.Order = '>'
				}
			}
		case "vlen-utf8":
			if !m.Strings {
				return unsupported("codec %q for type %s", c.Name, m.DType)
			}
			hasBytes = true
		case "sharding_indexed":
			var s shardingV3
			if err := config(c, &s, "sharding_indexed"); err != nil {
				return err
			}
			if m.Inner != nil || len(codecs) > 1 {
				return unsupported("sharding within shards or together with other codecs")
			}
			m.Inner, m.IndexFirst = s.Shape, s.Where == "start"
			for _, i := range s.Index {
				switch i.Name {
				case "bytes":
				case "crc32c":
					m.Index = append(m.Index, Codec{Name: i.Name})
				default:
					return unsupported("codec %q of the index of shards", i.Name)
				}
			}
			if err := m.innerV3(s.Codecs); err != nil {
				return err
			}
			hasBytes = true
		case "blosc":
			z, err := filter.ParseZarrV3(c.Configuration)
			if err != nil {
				return err
			}
			m.Bytes = append(m.Bytes, Codec{c.Name, z})
		case "zstd", "gzip", "zlib", "crc32c":
			m.Bytes = append(m.Bytes, Codec{Name: c.Name})
		default:
			return unsupported("codec %q", c.Name)
		}
	}
	if !hasBytes {
		return corrupt("no codec converts the items to bytes")
	}
	return nil
}

func (m *Metadata) innerV3(codecs []named) error {
	if slices.ContainsFunc(codecs, func(c named) bool { return c.Name == "sharding_indexed" }) {
		return unsupported("shards within shards")
	}
	inner := m.Inner
	m.Inner = nil
	err := m.codecsV3(codecs)
	m.Inner = inner
	return err
}

// V3 returns the zarr.json of the array.
func (m *Metadata) V3() ([]byte, error) {
	j := metaV3{Format: 3, NodeType: "array", Shape: m.Shape, Attributes: m.Attributes}
	if j.Shape == nil {
		j.Shape = []int64{}
	}
	if j.Attributes == nil {
		j.Attributes = json.RawMessage("{}")
	}
	var err error
	if m.Strings {
		j.DataType = named{Name: "string"}
	} else if j.DataType, err = nameV3(m.DType); err != nil {
		return nil, err
	}
	j.Grid = object("regular", map[string]any{"chunk_shape": notNil(m.Chunks)})
	j.Keys = object("default", map[string]any{"separator": m.Separator})
	if m.Strings {
		j.Fill = json.RawMessage(`""`)
	} else if j.Fill, err = fillJSON(m.Fill, m.DType); err != nil {
		return nil, err
	}
	bytes := named{Name: "bytes"}
	if m.DType.Size > 1 && m.DType.Kind != meta.Bytes && m.DType.Kind != meta.Void {
		endian := "little"
		if m.DType.Order == '>' {
			endian = "big"
		}
		bytes = object("bytes", map[string]any{"endian": endian})
	}
	if m.Strings {
		bytes = named{Name: "vlen-utf8"}
	}
	codecs := []named{bytes}
	for _, c := range m.Bytes {
		n := named{Name: c.Name}
		if c.Name == "blosc" {
			if n.Configuration, err = c.Blosc.V3(); err != nil {
				return nil, err
			}
		}
		codecs = append(codecs, n)
	}
	if j.Codecs = codecs; m.Inner != nil {
		j.Codecs = []named{object("sharding_indexed", shardingV3{
			Shape: m.Inner, Codecs: codecs, Index: []named{object("bytes", map[string]any{"endian": "little"}), {Name: "crc32c"}}, Where: "end",
		})}
	}
	var dt any = j.DataType
	if j.DataType.Configuration == nil {
		dt = j.DataType.Name
	}
	return json.MarshalIndent(struct {
		metaV3
		DataType   any   `json:"data_type"`
		Transforms []any `json:"storage_transformers"`
	}{j, dt, []any{}}, "", "  ")
}

func object(name string, configuration any) named {
	b, err := json.Marshal(configuration)
	if err != nil {
		panic(err) // marshalling numbers and strings cannot fail
	}
	return named{name, b}
}

func notNil(s []int64) []int64 {
	if s == nil {
		return []int64{}
	}
	return s
}

// GroupV3 returns the zarr.json of a group.
func GroupV3(attributes json.RawMessage) ([]byte, error) {
	if attributes == nil {
		attributes = json.RawMessage("{}")
	}
	return json.MarshalIndent(map[string]any{"zarr_format": 3, "node_type": "group", "attributes": attributes}, "", "  ")
}
