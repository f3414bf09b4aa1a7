package items

import "github.com/seed03b80dae/blosc2/meta"

type real interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// Numbers converts len(dst) stored items of dtype d, in any byte order. It returns false
// if these are not integers, booleans, float32 or float64.
func Numbers[T int64 | uint64 | float64](dst []T, src []byte, d meta.DType) bool {
	var convert func(dst []T, src []byte, turned bool)
	switch key := [2]int{int(d.Kind), d.Size}; key {
	case [2]int{'i', 1}:
		convert = numbers[int8, T]
	case [2]int{'i', 2}:
		convert = numbers[int16, T]
	case [2]int{'i', 4}:
		convert = numbers[int32, T]
	case [2]int{'i', 8}:
		convert = numbers[int64, T]
	case [2]int{'u', 1}, [2]int{'b', 1}:
		convert = numbers[uint8, T]
	case [2]int{'u', 2}:
		convert = numbers[uint16, T]
	case [2]int{'u', 4}:
		convert = numbers[uint32, T]
	case [2]int{'u', 8}:
		convert = numbers[uint64, T]
	case [2]int{'f', 4}:
		convert = numbers[float32, T]
	case [2]int{'f', 8}:
		convert = numbers[float64, T]
	default:
		return false
	}
	convert(dst, src, (d.Order == '>') == LittleEndian)
	return true
}

// numbers converts items, which it copies to memory that is aligned for their type, a few
// at a time.
func numbers[S, T real](dst []T, src []byte, turned bool) {
	var some [64]S
	for len(dst) > 0 {
		from := some[:min(len(dst), len(some))]
		b := Bytes(from)
		copy(b, src)
		if turned {
			swap(b, len(b)/len(from))
		}
		to := dst[:len(from)]
		for i, v := range from {
			to[i] = T(v)
		}
		dst, src = dst[len(from):], src[len(b):]
	}
}
