package main

import (
	"fmt"

	"github.com/seed03b80dae/blosc2/frame"
)

// chosen describes briefly how an output is compressed. If the settings were chosen
// from the data, it adds the aim and the speeds on the machine of the cost table.
func (j *compression) chosen(name string) string {
	pick := j.pick
	if pick.Ratio > 0 {
		return fmt.Sprintf(" (best for %v: %v)", j.enc.aim, pick)
	}
	f, err := frame.OpenFile(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	h, p := f.Header(), &pick.Params
	p.Codec, p.Level, p.Filters, p.TypeSize = h.Codec, int(h.Level), h.Filters, int(h.TypeSize)
	return fmt.Sprintf(" (%v)", pick)
}

// megabytes formats a speed in MB/s.
func megabytes(speed float64) string { return commas(int64(min(speed/1e6, 99_999))) }
