package main

import (
	"fmt"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
)

// chosen describes briefly how an output is compressed. If the settings were chosen
// from the data, it adds the aim and the speeds on the machine of the cost table.
func (j *compression) chosen(name string) string {
	p := j.pick.Params
	if j.pick.Ratio == 0 {
		f, err := frame.OpenFile(name)
		if err != nil {
			return ""
		}
		defer f.Close()
		h := f.Header()
		p.Codec, p.Level, p.Filters, p.TypeSize = h.Codec, int(h.Level), h.Filters, int(h.TypeSize)
	}
	text := fmt.Sprintf("%s %d, %s, items of %s", p.Codec, p.Level, pipelineText(p.Filters), count(int64(p.TypeSize), "byte"))
	if p.Level == 0 {
		text = "stored"
	}
	if j.pick.Ratio == 0 {
		return " (" + text + ")"
	}
	return fmt.Sprintf(" (best for %v: %s; about %s MB/s to compress and %s to decompress per core)", j.enc.aim, text, megabytes(j.pick.Compress), megabytes(j.pick.Expand))
}

// megabytes formats a speed in MB/s.
func megabytes(speed float64) string { return commas(int64(min(speed/1e6, 99_999))) }

// pipelineText formats the filters of a pipeline.
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
