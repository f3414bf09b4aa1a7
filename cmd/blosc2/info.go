package main

import (
	"encoding/hex"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
)

// infoCmd is "blosc2 info".
type infoCmd struct {
	JSON  bool
	Stats bool
	Tree  bool
	DType string

	Recursive  bool
	Files      []string
	table      bool // print a line for each file, even if there is only one
	compressed bool // files that are not compressed are an error
}

func (c *infoCmd) define(g *grammar) {
	g.BoolVar(&c.JSON, "json", false, "Print JSON, with the metalayers in hexadecimal and as values.")
	g.BoolVar(&c.Stats, "stats", false, "Read all items and print their minimum, maximum, mean and deviation.")
	g.StringVar(&c.DType, "dtype", "", "NumPy `TYPE` of the items for --stats, if the file does not store it.")
	g.BoolVar(&c.Tree, "tree", false, "Print a table of the contents of stores, with sizes, ratios and shapes.")
	g.BoolVarP(&c.Recursive, "recursive", "r", false, "Process the files in folders and their subfolders.")
	g.rest(&c.Files, "FILE", "Frames, arrays, chunks, folders of sparse frames, stores, or STORE:/KEY.")
}

// Run prints the descriptions of the files.
func (c *infoCmd) Run(e *env) error {
	files, walkErr := e.expand(c.Files, c.Recursive)
	files, err := c.stores(e, files)
	if err != nil || len(files) == 0 {
		return errors.Join(err, walkErr)
	}
	if c.Tree {
		return errors.Join(walkErr, e.each(files, func(string) error {
			return errors.New("is not a store, a group or a table, whose contents --tree prints")
		}))
	}
	files, err = e.members(files)
	if err != nil {
		return err
	}
	c.table = c.table || len(files) > 1 && !e.verbose && !c.Stats
	if c.table && !c.JSON {
		return errors.Join(c.list(e, files), walkErr)
	}
	show := func(name string) error {
		d, err := c.describe(e, name)
		if err != nil {
			return err
		}
		return c.print(e, d, len(files) > 1)
	}
	if len(files) == 1 {
		return withName(files[0], show(files[0]))
	}
	return errors.Join(e.each(files, show), walkErr)
}

// print prints the description of a file. For several files it is a line of JSON,
// or followed by an empty line.
func (c *infoCmd) print(e *env, d description, several bool) error {
	if !c.JSON {
		text := d.text()
		if several {
			text += "\n"
		}
		return e.print(text)
	}
	d.Schema = "blosc2.info/1"
	if !utf8.ValidString(d.File) {
		d.FileHex = hex.EncodeToString([]byte(d.File))
	}
	enc := newJSON(e.stdout)
	if !several {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(d)
}

// describe opens a file and describes it.
func (c *infoCmd) describe(e *env, name string) (d description, err error) {
	t, err := e.openTarget(name)
	if is := isPlain(name, err) || errors.Is(err, errKind) && c.DType != "" || err == nil && t.mistaken(); is && c.compressed {
		if err == nil {
			t.Close()
		}
		return d, withName(name, e.notCompressed(name, c.DType))
	} else if is {
		return c.describePlain(e, name)
	}
	if err != nil {
		return d, err
	}
	defer t.Close()
	defer e.cost(t)
	if t.kind == kindChunk {
		d, err = describeChunk(t)
	} else {
		d, err = describeFrame(t)
	}
	if err == nil {
		d.countFrames(t)
	}
	if err == nil && c.Stats {
		d.Stats, err = e.statistics(name, c.DType)
	}
	return d, withName(name, err)
}

// A numbered is a codec or a filter, with its number in the format.
type numbered struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Meta int    `json:"meta"`
}

// An arrayDescription is the metalayer of an array.
type arrayDescription struct {
	NDim       int     `json:"ndim"`
	Shape      []int64 `json:"shape"`
	ChunkShape []int64 `json:"chunkshape"`
	BlockShape []int64 `json:"blockshape"`
	DType      string  `json:"dtype"`
	NBytes     int64   `json:"nbytes"` // bytes of the items, without padding
}

// A tensorDescription is the shape and type that python-blosc2 stores with the
// bytes of a tensor.
type tensorDescription struct {
	Shape []int64 `json:"shape"`
	DType string  `json:"dtype"`
}

// A description is the output of info. It omits fields that the file's kind does not
// have. The names of the fields are those of C-Blosc2.
type description struct {
	Schema     string     `json:"schema"`
	File       string     `json:"file"`
	FileHex    string     `json:"file_hex,omitempty"` // the name in hexadecimal, if it is not UTF-8
	Kind       string     `json:"kind"`
	Generation string     `json:"generation,omitempty"`
	Version    int        `json:"version"`
	NChunks    *int64     `json:"nchunks,omitempty"`
	NBytes     int64      `json:"nbytes"`                  // bytes of the items
	Padded     int64      `json:"nbytes_padded,omitempty"` // nbytes in C-Blosc2: with the padding of an array's chunks
	CBytes     int64      `json:"cbytes"`                  // bytes of the chunks; 0 in an unsealed frame
	Ratio      float64    `json:"ratio"`                   // nbytes divided by the bytes of the file
	TypeSize   int        `json:"typesize"`
	ChunkSize  *int64     `json:"chunksize,omitempty"`
	DType      string     `json:"dtype,omitempty"` // the type of the items, if the file stores it
	BlockSize  int64      `json:"blocksize"`
	Codec      numbered   `json:"codec"`
	CLevel     *int       `json:"clevel,omitempty"`
	SplitMode  string     `json:"splitmode,omitempty"`
	Filters    []numbered `json:"filters"`
	Dict       bool       `json:"dict"`

	FrameLen int64  `json:"frame_len,omitempty"`
	Trailing int64  `json:"trailing,omitempty"`      // bytes in the file after the frame, such as more frames
	Frames   int    `json:"frames,omitempty"`        // number of frames in the file, if there are several
	AllBytes int64  `json:"frames_nbytes,omitempty"` // bytes of the items of all these frames
	Sealed   *bool  `json:"sealed,omitempty"`
	Open     bool   `json:"open,omitempty"`    // the frame is a log that its writer has not closed
	Lost     string `json:"lost,omitempty"`    // why data that were flushed but not committed are lost
	Ordered  *bool  `json:"ordered,omitempty"` // the chunks are stored in their order
	Checked  *bool  `json:"checked,omitempty"` // every chunk has a digest

	Split    *bool  `json:"split,omitempty"` // set for a chunk: its blocks are split
	Memcpyed *bool  `json:"memcpyed,omitempty"`
	Special  string `json:"special,omitempty"`
	Shard    *int   `json:"shard,omitempty"` // number of the shard in a shard's file, which is described by its first chunk
	Shards   int    `json:"shards,omitempty"`
	VLBlocks *bool  `json:"vlblocks,omitempty"`

	Shape []int64 `json:"shape,omitempty"` // shape of an uncompressed file

	B2ND   *arrayDescription  `json:"b2nd,omitempty"`
	Tensor *tensorDescription `json:"tensor,omitempty"`
	Means  string             `json:"means,omitempty"` // the source of a recipe or a proxy cache

	Stats *stats `json:"stats,omitempty"`

	Metalayers   []layer `json:"metalayers,omitzero"`
	VLMetalayers []layer `json:"vlmetalayers,omitzero"`

	stored int64 // bytes of the file, or of a folder without its index
}

func describeFrame(t *target) (description, error) {
	h := t.frame.Header()
	order := t.frame.Order()
	nchunks, chunkSize, level := t.frame.NumChunks(), int64(h.ChunkSize), int(h.Level)
	sealed, ordered, checked := order != frame.Unsealed, order != frame.ByIndex, t.frame.Checked()
	stored := t.frame.FrameLen()
	trailing := t.size - stored
	switch {
	case t.sparse:
		stored, trailing = h.CBytes, 0
	case t.frame.Open() && t.file != nil: // its writer leaves room, which is a hole
		if info, err := t.file.Stat(); err == nil {
			stored = min(stored, withoutHoles(info))
		}
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
	dtype, nbytes, padded := t.dtype(), t.frame.Size(), int64(0)
	if array != nil { // padding would increase the ratio
		dtype, nbytes, padded = array.DType, array.NBytes, nbytes
	}
	means, tensor, err := describeMeaning(t.frame)
	if err != nil {
		return description{}, err
	}
	lost := ""
	if err := t.frame.Lost(); err != nil {
		lost = plain(err)
	}
	return description{
		Means:        means,
		Tensor:       tensor,
		DType:        dtype,
		File:         t.name,
		Kind:         t.kind,
		Generation:   h.Generation.String(),
		Version:      int(h.Version),
		NChunks:      &nchunks,
		NBytes:       nbytes,
		Padded:       padded,
		CBytes:       h.CBytes,
		Ratio:        ratio(nbytes, stored),
		TypeSize:     int(h.TypeSize),
		ChunkSize:    &chunkSize,
		BlockSize:    int64(h.BlockSize),
		Codec:        numbered{int(h.Codec), h.Codec.String(), int(h.CodecMeta)},
		CLevel:       &level,
		SplitMode:    h.Split.String(),
		Filters:      slots(h.Filters),
		Dict:         h.Dict,
		FrameLen:     t.frame.FrameLen(),
		Trailing:     trailing,
		stored:       stored,
		Sealed:       &sealed,
		Open:         t.frame.Open(),
		Lost:         lost,
		Ordered:      &ordered,
		Checked:      &checked,
		Metalayers:   layers(t.frame.Metalayers()),
		VLMetalayers: layers(vl),
		B2ND:         array,
	}, nil
}

// countFrames counts the frames in a file, such as one of concatenated files, and their
// items. Bytes after the last frame are not counted.
func (d *description) countFrames(t *target) {
	if d.Trailing == 0 || t.src == nil || t.frame == nil {
		return
	}
	n, items, pos := 1, t.frame.Size(), t.frame.FrameLen()
	for pos < t.size {
		f, err := frame.Open(io.NewSectionReader(t.src, pos, t.size-pos), t.size-pos)
		if err != nil {
			break
		}
		n, items, pos = n+1, items+f.Size(), pos+f.FrameLen()
	}
	if n > 1 {
		d.Frames, d.AllBytes = n, items
	}
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
	if t.shard != nil {
		d.Shard, d.Shards = &t.shard.Shard, t.shard.Plan.Shards()
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

// slots returns the filters in the six slots of a pipeline.
func slots(p filters.Pipeline) []numbered {
	var all []numbered
	for i, id := range p.IDs {
		all = append(all, numbered{int(id), id.String(), int(p.Metas[i])})
	}
	return all
}
