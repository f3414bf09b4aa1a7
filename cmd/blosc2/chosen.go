package main

import (
	"fmt"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
)

// chosen says in a few words how an output is compressed. Where the data chose
// the settings, it holds them.
func (j *compression) chosen(name string) string {
	codec, level, pipeline, typeSize := j.enc.codec, j.enc.flags.Level, j.enc.filters, j.enc.typeSize
	if j.enc.aim != 0 || j.array != nil {
		f, err := frame.OpenFrame(name)
		if err != nil {
			return ""
		}
		defer f.Close()
		h := f.Header()
		codec, level, pipeline, typeSize = h.Codec, int(h.Level), h.Filters, int(h.TypeSize)
	}
	return fmt.Sprintf(" (%s %d, %s, items of %s)", codec, level, pipelineText(pipeline), count(int64(typeSize), "byte"))
}

// pipelineText writes the filters of a pipeline.
func pipelineText(p filters.Pipeline) string {
	var names []string
	for i, id := range p.IDs {
		if id == blosc2.FilterNone {
			continue
		}
		name := id.String()
		if p.Metas[i] != 0 {
			name += fmt.Sprintf(":%d", int8(p.Metas[i]))
		}
		names = append(names, name)
	}
	if names == nil {
		return "no filter"
	}
	return strings.Join(names, " ")
}
