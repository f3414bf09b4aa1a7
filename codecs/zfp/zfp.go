// Package zfp decodes and encodes the streams of C-Blosc2's codecs zfp_acc,
// zfp_prec and zfp_rate: blocks of arrays of floating-point numbers in the
// format of the zfp library, lossy.
//
// A block of one to four dimensions is cut into cells of 4, 4×4, … numbers. A cell
// is coded as a common exponent and integers relative to it; those are decorrelated
// by a transform, and their bits are written plane by plane, the highest first,
// until a limit is reached. All limits come from outside the stream, which has no
// header (docs/format/codecs.md §6). The format is that of zfp 0.5 and 1.0 without
// rounding.
package zfp

import (
	"math"

	"github.com/seed03b80dae/blosc2"
)

const (
	maxDims   = 4
	cellSide  = 4
	maxCell   = 256 // most numbers of a cell, in four dimensions
	maxPlanes = 64
	noLimit   = 1 << 20 // more bits than any cell has
	minMinExp = -1074   // the exponent of the least float64
)

// A Mode determines what limits the bits of a cell.
type Mode uint8

const (
	// Accuracy limits the error of each value to 10 to the power of Meta, a signed
	// byte.
	Accuracy Mode = iota
	// Precision limits the number of bit planes of a cell to Meta plus 5, 7, 9 or
	// 11 for one to four dimensions.
	Precision
	// Rate uses the same number of bits for each cell: Meta is a percentage of the
	// uncompressed size.
	Rate
)

// Params holds what C-Blosc2 passes to the codec about a block. C-Blosc2 rejects
// blocks with a dimension below 4 when encoding, but decodes them.
type Params struct {
	Mode     Mode
	Meta     uint8   // the codec's own byte
	TypeSize int     // bytes of a number: 4 or 8
	Shape    []int32 // shape of the block, in numbers; one to four dimensions, the last one varying fastest
}

// A grid is the layout of a block's numbers, and the limits of its cells. Dimensions are
// counted from the fastest, as in zfp; missing ones have size 1.
type grid struct {
	typeSize int
	dims     int
	size     [maxDims]int
	stride   [maxDims]int // bytes from one number to the next
	limits
}

// grid checks the shape against the length of the block.
func (p *Params) grid(length int) (g grid, err error) {
	if p.TypeSize != 4 && p.TypeSize != 8 {
		return g, unsupported("items of %d bytes; must be 4 or 8", p.TypeSize)
	}
	g.typeSize, g.dims = p.TypeSize, len(p.Shape)
	if g.dims < 1 || g.dims > maxDims {
		return g, unsupported("block of %d dimensions; must be 1 to 4", g.dims)
	}
	total := int64(p.TypeSize)
	for i := range maxDims {
		n := int64(1)
		if i < g.dims {
			n = int64(p.Shape[g.dims-1-i])
		}
		if n <= 0 || n > int64(length)/total {
			return g, corrupt("block of shape %v does not have %d bytes", p.Shape, length)
		}
		g.size[i], g.stride[i] = int(n), int(total)
		total *= n
	}
	if total != int64(length) {
		return g, corrupt("block of shape %v does not have %d bytes", p.Shape, length)
	}
	g.limits, err = p.limits()
	return g, err
}

// limits holds the limits of a cell, named as in zfp.
type limits struct {
	minBits, maxBits int // least and most bits of a cell
	maxPlanes        int
	minExp           int // exponent of the least bit plane
}

func (p *Params) limits() (limits, error) {
	free := limits{minBits: 1, maxBits: noLimit, maxPlanes: maxPlanes, minExp: minMinExp}
	switch dims := len(p.Shape); p.Mode {
	case Accuracy:
		_, exp := math.Frexp(math.Pow10(int(int8(p.Meta))))
		free.minExp = exp - 1
	case Precision:
		free.maxPlanes = min(int(p.Meta)+3+2*dims, maxPlanes)
	case Rate:
		width := 8 * p.TypeSize
		bits := (width*int(p.Meta)<<(2*dims) + 50) / 100
		free.minBits = max(bits, 1+exponentBits(p.TypeSize))
		free.maxBits = free.minBits
	default:
		return free, unsupported("unknown mode %d", p.Mode)
	}
	return free, nil
}

// planes returns the number of bit planes that are coded for a cell with common
// exponent exp. Two bits for each dimension and two more are for growth in the
// transform.
func (g *grid) planes(exp int) int {
	return min(g.maxPlanes, max(0, exp-g.minExp+2*g.dims+2))
}

func exponentBits(typeSize int) int {
	if typeSize == 4 {
		return 8
	}
	return 11
}

func exponentBias(typeSize int) int { return 1<<(exponentBits(typeSize)-1) - 1 }

func corrupt(format string, args ...any) error {
	return blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "zfp: "+format, args...)
}

func unsupported(format string, args ...any) error {
	return blosc2.Errorf(blosc2.PartBlock, blosc2.ErrUnsupported, "zfp: "+format, args...)
}
