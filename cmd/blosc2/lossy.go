package main

import (
	"fmt"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
)

// codecMeta describes the META of the codecs that have one; for lossy codecs it is
// the tolerance.
var codecMeta = map[blosc2.CodecID]string{
	blosc2.CodecNDLZ:    "the cell size, 4 or 8",
	blosc2.CodecZFPAcc:  "the exponent of the tolerance: zfp_acc:-3 keeps values within 10^-3",
	blosc2.CodecZFPPrec: "the bits of precision: zfp_prec:16 keeps 16",
	blosc2.CodecZFPRate: "the percentage of the size: zfp_rate:25 compresses to a quarter",
}

// lossyCodec reports whether a codec is lossy.
func lossyCodec(id blosc2.CodecID) bool {
	return id == blosc2.CodecZFPAcc || id == blosc2.CodecZFPPrec || id == blosc2.CodecZFPRate
}

// checkMeta returns an error for a META of a codec that has none, and for a lossy
// codec without META.
func checkMeta(id blosc2.CodecID, text string, given bool) error {
	what, has := codecMeta[id]
	switch {
	case given && !has:
		return misusef("--codec %s: %s has no META; --level sets the level", text, id)
	case !given && lossyCodec(id):
		return misusef("--codec %s: a lossy codec requires META, %s", text, what)
	}
	return nil
}

// checkLossy returns an error for a lossy filter without META.
func checkLossy(text string) error {
	for item := range strings.SplitSeq(text, ",") {
		name, _, given := strings.Cut(strings.TrimSpace(item), ":")
		f, ok := filters.ByName(name)
		if ok && f.Lossy() && !given {
			return misusef("--filters %s: %s is lossy and requires META, as in %s:META", text, name, name)
		}
	}
	return nil
}

// losses describes what an encoding loses, or returns "".
func (e *encoding) losses() string {
	var all []string
	if e.aim == 0 {
		switch meta := int(int8(e.meta)); e.codec {
		case blosc2.CodecZFPAcc:
			all = append(all, fmt.Sprintf("zfp_acc keeps values within 10^%d only", meta))
		case blosc2.CodecZFPPrec:
			all = append(all, fmt.Sprintf("zfp_prec keeps %d bits of precision only", e.meta))
		case blosc2.CodecZFPRate:
			all = append(all, fmt.Sprintf("zfp_rate keeps only what fits in %d %% of the size", e.meta))
		}
	}
	for i, id := range e.filters.IDs {
		if id == blosc2.FilterNone {
			continue
		}
		if f, err := filters.ByID(id); err == nil && f.Lossy() {
			all = append(all, fmt.Sprintf("%s:%d changes values", f.Name(), int8(e.filters.Metas[i])))
		}
	}
	return strings.Join(all, ", ")
}
