package main

import (
	"fmt"
	"math"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/tune"
)

// chosen describes briefly how an output is compressed. If the settings were chosen
// from the data, it adds what for, how often they were changed as the data changed, and the
// speeds on the machine of the cost table.
func (j *compression) chosen(name string) string {
	pick, enc := j.pick, j.enc
	if pick.Ratio > 0 {
		reason := "best for " + enc.aim.String()
		if text := enc.flags.Auto; text != "" && text[0] <= '9' { // a speed is reported as it was given, even if it has a name
			reason = "best for " + text
		}
		switch {
		case enc.keep&tune.KeepLevel == 0 || enc.flags.Auto != "":
		case enc.level == 0:
			return " (stored)"
		default:
			reason = fmt.Sprintf("smallest at level %d", enc.level)
		}
		if n := j.done.Changes; n > 0 {
			reason += ", after " + count(n, "change")
		}
		if pick.Ratio <= 1 && j.done.Stored >= j.done.Bytes { // a given codec or level stays chosen, but each chunk is stored
			pick.Params.Level = 0
		}
		return fmt.Sprintf(" (%s: %v)", reason, pick)
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

// megabytes formats a speed in MB/s, with one decimal below 10.
func megabytes(speed float64) string {
	if speed < 9.95e6 {
		return fmt.Sprintf("%.1f", speed/1e6)
	}
	return commas(int64(math.Round(min(speed/1e6, 99_999))))
}
