package filter

import (
	"math"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/meta"
)

// These are indexes of auxiliary values, the same for both filters unless noted.
const (
	valueBlockSize  = 1 // for 32026; in 32001 this is the version of the chunk format
	valueTypeSize   = 2
	valueChunkBytes = 3
	valueLevel      = 4
	valueShuffle    = 5
	valueCodec      = 6
	valueRank       = 7 // for 32026, followed by the shape of a chunk
)

// Settings are the user's settings of the HDF5 filters.
type Settings struct {
	Codec     blosc2.CodecID
	Level     int // 0 to 9
	Shuffle   blosc2.FilterID
	BlockSize int // bytes of a block, 0 for automatic; only for filter 32026 in one dimension
}

// BloscValues returns the auxiliary values of filter 32001 for chunks of the given shape
// and items of typesize bytes. It returns a *blosc2.OptionError for sizes that do not fit
// a chunk of Blosc, and for settings that the filter has no value for.
func BloscValues(s Settings, typesize int, shape []int) ([]uint32, error) {
	n, err := chunkBytes(typesize, shape)
	if err != nil {
		return nil, err
	}
	item := typesize
	if item > chunk.MaxTypeSize {
		item = 1
	}
	values := []uint32{2, chunk.VersionBlosc1, uint32(item), uint32(n), uint32(s.Level), uint32(s.Shuffle), uint32(s.Codec)}
	_, err = bloscParams(values)
	return values, err
}

// Blosc2Values returns the auxiliary values of filter 32026: see BloscValues. The filter
// treats an array type of HDF5 as items of its base type. Nevertheless, pass the size of
// the whole array type as typesize.
func Blosc2Values(s Settings, typesize int, shape []int) ([]uint32, error) {
	n, err := chunkBytes(typesize, shape)
	if err != nil {
		return nil, err
	}
	values := []uint32{1, uint32(s.BlockSize), uint32(typesize), uint32(n), uint32(s.Level), uint32(s.Shuffle), uint32(s.Codec)}
	if len(shape) > 1 && len(shape) <= meta.MaxDims {
		values = append(values, uint32(len(shape)))
		for _, d := range shape {
			values = append(values, uint32(d))
		}
	}
	_, err = blosc2Params(values)
	return values, err
}

func chunkBytes(typesize int, shape []int) (int64, error) {
	if typesize < 1 {
		return 0, &blosc2.OptionError{Option: "typesize", Value: typesize, Range: "1 or more"}
	}
	n := int64(typesize)
	for _, d := range shape {
		if d < 1 || int64(d) > chunk.MaxBytes/n {
			return 0, &blosc2.OptionError{Option: "shape of a chunk", Value: append([]int(nil), shape...), Range: "positive, and at most 2147483615 bytes in all"}
		}
		n *= int64(d)
	}
	return n, nil
}

// value returns value i, or missing if there are not so many.
func value(values []uint32, i int, missing uint32) uint32 {
	if i < len(values) {
		return values[i]
	}
	return missing
}

// params reads the values that both filters have.
func params(values []uint32) (p chunk.Params, err error) {
	if len(values) < valueLevel {
		return p, &blosc2.OptionError{Option: "number of filter values", Value: len(values), Range: "4 or more"}
	}
	level, shuffle := value(values, valueLevel, 5), value(values, valueShuffle, uint32(blosc2.FilterShuffle))
	codec, item := value(values, valueCodec, uint32(blosc2.CodecBloscLZ)), values[valueTypeSize]
	switch {
	case level > 9:
		return p, &blosc2.OptionError{Option: "level", Value: level, Range: "0 to 9"}
	case shuffle > math.MaxUint8:
		return p, &blosc2.OptionError{Option: "shuffle", Value: shuffle, Range: "0, 1 or 2"}
	case codec > math.MaxUint8:
		return p, &blosc2.OptionError{Option: "codec", Value: codec, Range: "0 to 255"}
	case item < 1 || item > chunk.MaxBlockSize:
		return p, &blosc2.OptionError{Option: "typesize", Value: item, Range: "1 to 536866816"}
	}
	p = chunk.Params{Codec: blosc2.CodecID(codec), Level: int(level), TypeSize: int(item)}
	p.Filters.IDs[filters.Slots-1] = blosc2.FilterID(shuffle)
	return p, nil
}

// maxDecoded returns the largest decoded size of a chunk. HDF5 stores the size of a chunk
// in the values. Filters that are applied before this one may add a few bytes.
func maxDecoded(values []uint32) int {
	n := int64(value(values, valueChunkBytes, 0))
	if n == 0 {
		return chunk.DefaultMaxBytes
	}
	return int(min(n+n/8+1024, chunk.MaxBytes))
}
