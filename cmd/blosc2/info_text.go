package main

import (
	"fmt"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// text returns the description as text.
func (d *description) text() string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-13s %s\n", name, shown(fmt.Sprintf(format, args...)))
	}
	if d.isPlain() {
		row("file", "%s", d.File)
		row("kind", "%s, not compressed", d.Kind)
		row("shape", "%s", times(d.Shape))
		row("dtype", "%s", d.DType)
		row("data", "%s bytes", commas(d.NBytes))
		if d.Stats != nil {
			d.Stats.print(row)
		}
		return b.String()
	}
	kind := map[string]string{kindFrame: "frame", kindSparse: "sparse frame", kindArray: "array", kindChunk: "chunk"}[d.Kind]
	if d.Generation != "" {
		kind += ", layout " + d.Generation
	}
	row("file", "%s", d.File)
	row("kind", "%s, version %d", kind, d.Version)
	if d.Shard != nil {
		row("shard", "%d of %d, for assemble; this is its first chunk", *d.Shard, d.Shards)
	}
	if d.Means != "" {
		row("means", "%s", d.Means)
	}
	if d.Tensor != nil {
		row("shape", "%s", times(d.Tensor.Shape))
		row("dtype", "%s", d.Tensor.DType)
	}
	if d.B2ND != nil {
		row("shape", "%s", times(d.B2ND.Shape))
		row("dtype", "%s", d.B2ND.DType)
		row("chunks", "%s", times(d.B2ND.ChunkShape))
		row("blocks", "%s", times(d.B2ND.BlockShape))
	}
	row("data", "%s bytes%s", commas(d.NBytes), d.partition())
	row("stored", "%s bytes, ratio %.2f", commas(d.stored), d.Ratio)
	if d.DType != "" && d.B2ND == nil {
		row("dtype", "%s", d.DType)
	}
	row("typesize", "%d%s", d.TypeSize, d.itemsEach())
	row("codec", "%s", d.codec())
	row("filters", "%s", d.pipeline())
	row("block size", "%s", d.blocks())
	if d.Sealed != nil {
		row("sealed", "%s", yes(*d.Sealed))
		switch {
		case d.Lost != "":
			row("open", "yes: its writer is active or has died")
			row("damaged", "%s; repair saves what is intact", d.Lost)
		case d.Open:
			row("open", "yes: its writer is active or has died, after which seal completes it")
		}
		row("in order", "%s", yes(*d.Ordered))
		row("checks", "%s", yes(*d.Checked))
	}
	if d.Frames > 1 {
		row("frames", "%d, of %s in all; the first is described", d.Frames, count(d.AllBytes, "byte"))
	}
	if d.Trailing > 0 {
		row("after it", "%s, not described here; see verify", count(d.Trailing, "byte"))
	}
	if d.Special != "" {
		row("special", "%s", d.Special)
	}
	for _, l := range d.Metalayers {
		row("metalayer", "%s", l)
	}
	for _, l := range d.VLMetalayers {
		row("vlmetalayer", "%s", l)
	}
	if d.Stats != nil {
		d.Stats.print(row)
	}
	return b.String()
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

// times formats a shape for messages. Without dimensions it returns "scalar".
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

// itemsEach describes how many items of the frame's type the typesize covers, if several.
func (d *description) itemsEach() string {
	t, err := meta.ParseDType(d.DType)
	if err != nil || d.B2ND != nil || t.Size < 1 || d.TypeSize <= t.Size || d.TypeSize%t.Size != 0 {
		return ""
	}
	return fmt.Sprintf(" (records of %d items)", d.TypeSize/t.Size)
}
