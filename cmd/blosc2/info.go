package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// infoCmd is "blosc2 info".
type infoCmd struct {
	JSON  bool
	Stats bool
	DType string
	File  string
}

func (c *infoCmd) define(g *grammar) {
	g.BoolVar(&c.JSON, "json", false, "Print it as JSON, with the contents of the metalayers in hexadecimal.")
	g.BoolVar(&c.Stats, "stats", false, "Read all items and tell their least, greatest and mean value.")
	g.StringVar(&c.DType, "dtype", "", "NumPy `TYPE` of the items for --stats, where the file does not tell it.")
	g.argument(&c.File, "FILE", "Frame, array, chunk, or folder of a sparse frame.")
}

// Run prints what the file says of itself.
func (c *infoCmd) Run(e *env) error {
	t, err := openTarget(c.File)
	if err != nil {
		return err
	}
	defer t.Close()
	var d description
	if t.kind == kindChunk {
		d, err = describeChunk(t)
	} else {
		d, err = describeFrame(t)
	}
	if err != nil {
		return about(c.File, err)
	}
	if c.Stats {
		if d.Stats, err = statistics(c.File, c.DType); err != nil {
			return about(c.File, err)
		}
	}
	if c.JSON {
		enc := json.NewEncoder(e.stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(d)
	}
	return d.print(e.stdout)
}

// A numbered thing is a codec or a filter.
type numbered struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Meta int    `json:"meta"`
}

// A layer is a metalayer, its content in hexadecimal.
type layer struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// An arrayDescription is what the metalayer of an array says.
type arrayDescription struct {
	NDim       int     `json:"ndim"`
	Shape      []int64 `json:"shape"`
	ChunkShape []int32 `json:"chunkshape"`
	BlockShape []int32 `json:"blockshape"`
	DType      string  `json:"dtype"`
	NBytes     int64   `json:"nbytes"` // of the items, without padding
}

// A description is what info prints. Fields that a kind does not have are left
// out. Names are those of C-Blosc2.
type description struct {
	File       string     `json:"file"`
	Kind       string     `json:"kind"`
	Generation string     `json:"generation,omitempty"`
	Version    int        `json:"version"`
	NChunks    *int64     `json:"nchunks,omitempty"`
	NBytes     int64      `json:"nbytes"`
	CBytes     int64      `json:"cbytes"` // of the chunks; 0 in an unsealed frame
	Ratio      float64    `json:"ratio"`  // of nbytes to the bytes of the file
	TypeSize   int        `json:"typesize"`
	ChunkSize  *int64     `json:"chunksize,omitempty"`
	BlockSize  int64      `json:"blocksize"`
	Codec      numbered   `json:"codec"`
	CLevel     *int       `json:"clevel,omitempty"`
	SplitMode  string     `json:"splitmode,omitempty"`
	Filters    []numbered `json:"filters"`
	Dict       bool       `json:"dict"`

	FrameLen int64 `json:"frame_len,omitempty"`
	Behind   int64 `json:"behind,omitempty"` // bytes in the file behind the frame, such as more frames
	Sealed   *bool `json:"sealed,omitempty"`
	Ordered  *bool `json:"ordered,omitempty"` // the chunks stand front to back
	Checked  *bool `json:"checked,omitempty"` // every chunk has a digest

	Split    *bool  `json:"split,omitempty"` // of a chunk
	Memcpyed *bool  `json:"memcpyed,omitempty"`
	Special  string `json:"special,omitempty"`
	VLBlocks *bool  `json:"vlblocks,omitempty"`

	B2ND *arrayDescription `json:"b2nd,omitempty"`

	Stats *stats `json:"stats,omitempty"`

	Metalayers   []layer `json:"metalayers,omitzero"`
	VLMetalayers []layer `json:"vlmetalayers,omitzero"`

	stored int64 // bytes of the file; without the index, if it is a folder
}

func describeFrame(t *target) (description, error) {
	h := t.frame.Header()
	order := t.frame.Order()
	nchunks, chunkSize, level := t.frame.NumChunks(), int64(h.ChunkSize), int(h.Level)
	sealed, ordered, checked := order != frame.Unsealed, order != frame.ByIndex, t.frame.Checked()
	stored := t.frame.FrameLen()
	behind := t.size - stored
	if t.sparse {
		stored, behind = h.CBytes, 0
	}
	vl, err := t.frame.VLMetalayers()
	if err != nil {
		return description{}, err
	}
	var array *arrayDescription
	if t.kind == kindArray {
		if array, err = describeArray(t.frame); err != nil {
			return description{}, err
		}
	}
	return description{
		File:         t.name,
		Kind:         t.kind,
		Generation:   h.Generation.String(),
		Version:      int(h.Version),
		NChunks:      &nchunks,
		NBytes:       t.frame.Size(),
		CBytes:       h.CBytes,
		Ratio:        ratio(t.frame.Size(), stored),
		TypeSize:     int(h.TypeSize),
		ChunkSize:    &chunkSize,
		BlockSize:    int64(h.BlockSize),
		Codec:        numbered{int(h.Codec), h.Codec.String(), int(h.CodecMeta)},
		CLevel:       &level,
		SplitMode:    h.Split.String(),
		Filters:      slots(h.Filters),
		Dict:         h.Dict,
		FrameLen:     t.frame.FrameLen(),
		Behind:       behind,
		stored:       stored,
		Sealed:       &sealed,
		Ordered:      &ordered,
		Checked:      &checked,
		Metalayers:   layers(t.frame.Metalayers()),
		VLMetalayers: layers(vl),
		B2ND:         array,
	}, nil
}

func describeArray(f *frame.Reader) (*arrayDescription, error) {
	a, err := b2nd.FromFrame(f)
	if err != nil {
		return nil, err
	}
	return &arrayDescription{len(a.Shape()), a.Shape(), a.ChunkShape(), a.BlockShape(), a.DType().String(), a.Size()}, nil
}

func describeChunk(t *target) (description, error) {
	h, err := chunk.ParseHeader(t.chunk)
	split, memcpyed, vl := h.Split(), h.Memcpyed(), h.VLBlocks()
	d := description{
		File:      t.name,
		Kind:      t.kind,
		Version:   int(h.Version),
		NBytes:    int64(h.NBytes),
		CBytes:    int64(h.CBytes),
		Ratio:     ratio(int64(h.NBytes), int64(h.CBytes)),
		TypeSize:  h.TypeSize,
		BlockSize: int64(h.BlockSize),
		stored:    int64(h.CBytes),
		Codec:     numbered{int(h.Codec), h.Codec.String(), int(h.CodecMeta)},
		Filters:   slots(h.Filters),
		Dict:      h.HasDict(),
		Split:     &split,
		Memcpyed:  &memcpyed,
		VLBlocks:  &vl,
	}
	if s := h.Special(); s != 0 {
		d.Special = s.String()
	}
	return d, err
}

func ratio(nbytes, cbytes int64) float64 {
	if cbytes == 0 {
		return 0
	}
	return float64(nbytes) / float64(cbytes)
}

// slots lists the six slots of a pipeline.
func slots(p filters.Pipeline) []numbered {
	var all []numbered
	for i, id := range p.IDs {
		all = append(all, numbered{int(id), id.String(), int(p.Metas[i])})
	}
	return all
}

func layers(from []meta.Layer) []layer {
	all := []layer{}
	for _, l := range from {
		all = append(all, layer{l.Name, hex.EncodeToString(l.Value)})
	}
	return all
}

// print writes the description for a person.
func (d *description) print(w io.Writer) error {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-13s %s\n", name, fmt.Sprintf(format, args...))
	}
	kind := map[string]string{kindFrame: "frame", kindSparse: "sparse frame", kindArray: "array", kindChunk: "chunk"}[d.Kind]
	if d.Generation != "" {
		kind += ", layout " + d.Generation
	}
	row("file", "%s", d.File)
	row("kind", "%s, version %d", kind, d.Version)
	if d.B2ND != nil {
		row("shape", "%s", times(d.B2ND.Shape))
		row("dtype", "%s", d.B2ND.DType)
		row("chunks", "%s", times(d.B2ND.ChunkShape))
		row("blocks", "%s", times(d.B2ND.BlockShape))
	}
	data, times := d.NBytes, d.Ratio
	if d.B2ND != nil { // chunks are padded, and zeros that nobody wrote would make the ratio look good
		data = d.B2ND.NBytes
		times = ratio(data, d.stored)
	}
	row("data", "%s bytes%s", commas(data), d.partition())
	row("stored", "%s bytes, ratio %.2f", commas(d.stored), times)
	row("typesize", "%d", d.TypeSize)
	row("codec", "%s", d.codec())
	row("filters", "%s", d.pipeline())
	row("block size", "%s", d.blocks())
	if d.Sealed != nil {
		row("sealed", "%s", yes(*d.Sealed))
		row("in order", "%s", yes(*d.Ordered))
		row("checks", "%s", yes(*d.Checked))
	}
	if d.Behind > 0 {
		row("behind it", "%s, not told about here: see verify", count(d.Behind, "byte"))
	}
	if d.Special != "" {
		row("special", "%s", d.Special)
	}
	for _, l := range d.Metalayers {
		row("metalayer", "%s, %d bytes", l.Name, len(l.Content)/2)
	}
	for _, l := range d.VLMetalayers {
		row("vlmetalayer", "%s, %d bytes", l.Name, len(l.Content)/2)
	}
	if d.Stats != nil {
		d.Stats.print(row)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (d *description) partition() string {
	switch {
	case d.NChunks == nil:
		return ""
	case *d.ChunkSize > 0:
		return fmt.Sprintf(" in %s of %s", count(*d.NChunks, "chunk"), commas(*d.ChunkSize))
	}
	return fmt.Sprintf(" in %s of any size", count(*d.NChunks, "chunk"))
}

func (d *description) codec() string {
	s := d.Codec.Name
	if d.Codec.Meta != 0 {
		s += fmt.Sprintf(" (meta %d)", d.Codec.Meta)
	}
	if d.CLevel != nil {
		s += fmt.Sprintf(", level %d, split %s", *d.CLevel, d.SplitMode)
	}
	if d.Dict {
		s += ", with dictionaries"
	}
	return s
}

func (d *description) pipeline() string {
	var used []string
	for _, f := range d.Filters {
		if f.ID != int(blosc2.FilterNone) {
			name := f.Name
			if f.Meta != 0 {
				name += fmt.Sprintf(":%d", f.Meta)
			}
			used = append(used, name)
		}
	}
	if used == nil {
		return "none"
	}
	return strings.Join(used, ", ")
}

func (d *description) blocks() string {
	switch {
	case d.VLBlocks != nil && *d.VLBlocks:
		return count(d.BlockSize, "block") + " of any size"
	case d.BlockSize == 0:
		return "automatic"
	}
	return commas(d.BlockSize) + " bytes"
}

// times writes a shape.
func times[T int32 | int64](shape []T) string {
	if len(shape) == 0 {
		return "scalar"
	}
	dims := make([]string, len(shape))
	for i, n := range shape {
		dims[i] = commas(int64(n))
	}
	return strings.Join(dims, " × ")
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
