package wire

// MaxDims is the largest number of dimensions that an array may have.
const MaxDims = 16

// Dims64 and Dims32 are the shapes of an array. A byte of 0x90 + the number of dimensions
// comes first; then each dimension follows its own lead byte (d3 and d2). For sixteen
// dimensions the first byte is a0, an empty string in msgpack, because C-Blosc2 writes
// that.
type (
	Dims64 []int64
	Dims32 []int32
)

const leadDims = 0x90

func (v Dims64) Msgsize() int { return 1 + 9*len(v) }
func (v Dims32) Msgsize() int { return 1 + 5*len(v) }

func (v Dims64) MarshalMsg(b []byte) ([]byte, error) {
	return appendDims[Int64](b, v)
}

func (v Dims32) MarshalMsg(b []byte) ([]byte, error) {
	return appendDims[Int32](b, v)
}

func (v *Dims64) UnmarshalMsg(b []byte) ([]byte, error) {
	return parseDims[Int64](b, (*[]int64)(v))
}

func (v *Dims32) UnmarshalMsg(b []byte) ([]byte, error) {
	return parseDims[Int32](b, (*[]int32)(v))
}

func appendDims[L interface {
	~int64 | ~int32
	MarshalMsg([]byte) ([]byte, error)
}, T int64 | int32](b []byte, dims []T) (_ []byte, err error) {
	if len(dims) > MaxDims {
		return b, errorAt(nil, "%d dimensions; must be at most %d", len(dims), MaxDims)
	}
	b = append(b, leadDims+byte(len(dims)))
	for _, d := range dims {
		if b, err = L(d).MarshalMsg(b); err != nil {
			return b, err
		}
	}
	return b, nil
}

func parseDims[L ~int64 | ~int32, T int64 | int32, P interface {
	*L
	UnmarshalMsg([]byte) ([]byte, error)
}](b []byte, dims *[]T) (rest []byte, err error) {
	if len(b) == 0 {
		return b, errorAt(b, "ends before a shape")
	}
	if b[0] < leadDims || b[0] > leadDims+MaxDims {
		return b, errorAt(b, "byte %#02x does not begin a shape", b[0])
	}
	n := int(b[0] - leadDims)
	rest = b[1:]
	*dims = make([]T, n)
	for i := range *dims {
		var v L
		if rest, err = P(&v).UnmarshalMsg(rest); err != nil {
			return rest, err
		}
		(*dims)[i] = T(v)
	}
	return rest, nil
}
