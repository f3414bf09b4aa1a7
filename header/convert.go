package header

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/wire"
)

// The headers before 2021 lack the block size of layoutCurrent, which follows the
// typesize, and those before 2019-08-30 also lack the pipeline, which is the last field.
// These are the two fields with zeros.
var (
	zeroBlockSize = []byte{0xd2, 4: 0}
	zeroPipeline  = []byte{leadPipeline, 17: 0}
)

// leadLayoutCurrent is the first byte of layoutCurrent: the head of an msgpack array that
// does not count the metalayers.
const leadLayoutCurrent = 0x9d

// unmarshalFixed reads the fields up to the metalayers. It changes the first
// byte of b.
func unmarshalFixed(g Generation, b []byte) (f layoutCurrent, err error) {
	b[0] = leadLayoutCurrent
	fixed := b[:g.fixedLen()]
	if !g.hasPipeline() {
		fixed = slices.Concat(fixed, zeroPipeline)
	}
	if !g.hasBlockSize() {
		fixed = slices.Concat(fixed[:offSizes], zeroBlockSize, fixed[offSizes:])
	}
	if _, err := f.UnmarshalMsg(fixed); err != nil {
		e := wire.Corrupt(blosc2.PartHeader, 0, len(fixed), err)
		if !g.hasBlockSize() && e.Offset > offSizes {
			e.Offset -= int64(len(zeroBlockSize))
		}
		return f, e
	}
	return f, nil
}

// marshalFixed appends the fields up to the metalayers, with the first byte
// still to be corrected.
func marshalFixed(g Generation, dst []byte, f *layoutCurrent) ([]byte, error) {
	out, err := f.MarshalMsg(dst)
	if err != nil {
		return dst, err
	}
	if !g.hasPipeline() {
		out = out[:len(out)-len(zeroPipeline)]
	}
	if !g.hasBlockSize() {
		at := len(dst) + offSizes
		out = slices.Delete(out, at, at+len(zeroBlockSize))
	}
	return out, nil
}
