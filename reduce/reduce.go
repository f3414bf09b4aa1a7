package reduce

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// An Op is a reduction operation.
type Op uint8

// These are the operations.
const (
	Sum Op = iota
	Mean
	Min
	Max
	Std
	Count
)

var names = [...]string{"sum", "mean", "min", "max", "std", "count"}

// String returns the operation's name.
func (o Op) String() string {
	if int(o) < len(names) {
		return names[o]
	}
	return fmt.Sprintf("operation %d", uint8(o))
}

// ParseOp returns the operation with the given name. An unknown name returns a
// *blosc2.OptionError.
func ParseOp(name string) (Op, error) {
	if i := slices.Index(names[:], name); i >= 0 {
		return Op(i), nil
	}
	return 0, &blosc2.OptionError{Option: "operation", Value: name, Range: fmt.Sprint(names)}
}

// A Reduction makes one array from another. Fill is for one goroutine at a
// time.
type Reduction struct {
	src     *b2nd.Array
	op      Op
	item    itemType
	reduced []bool // for each dimension of src: it is reduced
	spec    b2nd.Spec
	cut     *b2nd.Cut
	pieces  *pool
}

// A chunk of the result has at least chunkGoal items, or is computed from at least
// sourceGoal bytes of the array, if there are that many. Both numbers are small, so that
// there are enough chunks for many shards.
const (
	chunkGoal  = 16 << 10
	sourceGoal = 64 << 20
)

// New returns the Reduction of src along axes, the dimensions that the result
// does not have. A negative axis counts from the end; no axes means all. An
// axis out of range or given twice returns a *blosc2.OptionError, and a dtype
// that is not numeric returns blosc2.ErrUnsupported.
func New(src *b2nd.Array, op Op, axes ...int) (*Reduction, error) {
	if err := framing.Need(src != nil, "source", "a *b2nd.Array"); err != nil {
		return nil, err
	}
	r := &Reduction{src: src, op: op}
	var err error
	if r.item, err = typeOf(src.DType()); err != nil {
		return nil, err
	}
	if int(op) >= len(names) {
		return nil, &blosc2.OptionError{Option: "operation", Value: op, Range: fmt.Sprint(names)}
	}
	shape := src.Shape()
	r.reduced = make([]bool, len(shape))
	for _, a := range axes {
		d := a
		if d < 0 {
			d += len(shape)
		}
		if d < 0 || d >= len(shape) || r.reduced[d] {
			return nil, &blosc2.OptionError{Option: "axis", Value: a, Range: fmt.Sprintf("%d to %d, each once", -len(shape), len(shape)-1)}
		}
		r.reduced[d] = true
	}
	if len(axes) == 0 {
		for d := range r.reduced {
			r.reduced[d] = true
		}
	}
	r.setSpec()
	if r.cut, err = r.spec.Cut(); err != nil {
		return nil, err
	}
	if (op == Min || op == Max) && src.Len() == 0 && product(r.spec.Shape) > 0 {
		return nil, &blosc2.OptionError{Option: "operation", Value: op, Range: "sum, mean, std or count, as there are no items"}
	}
	return r, nil
}

// setSpec sets the Spec of the result. Its chunks hold whole blocks of the
// array along the kept axes, so that no block is decoded for two of them.
func (r *Reduction) setSpec() {
	s := b2nd.Spec{Shape: []int64{}, ChunkShape: []int64{}, DType: r.dtype()}
	var chunks []int64           // chunk shape of the array along the kept axes
	source := int64(r.item.size) // bytes of the array per item of the result
	for d, n := range r.src.Shape() {
		if r.reduced[d] {
			source *= max(n, 1)
			continue
		}
		s.Shape = append(s.Shape, n)
		s.ChunkShape = append(s.ChunkShape, max(r.src.BlockShape()[d], 1))
		chunks = append(chunks, max(r.src.ChunkShape()[d], 1))
	}
	goal := min(chunkGoal, sourceGoal/source+1)
	for d := len(s.Shape) - 1; d >= 0; d-- {
		block := s.ChunkShape[d]
		n := block * ceilDiv(goal, product(s.ChunkShape))
		if n > chunks[d] { // no block of the array crosses the end of its chunk
			n = ceilDiv(n, chunks[d]) * chunks[d]
		}
		s.ChunkShape[d] = max(min(n, s.Shape[d]), 1)
	}
	r.spec = s
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

func product(s []int64) int64 {
	n := int64(1)
	for _, v := range s {
		n *= v
	}
	return n
}

// dtype returns the dtype of the result.
func (r *Reduction) dtype() string {
	switch {
	case r.op == Mean || r.op == Std:
		return "<f8"
	case r.op == Count:
		return "<i8"
	case r.op == Min || r.op == Max:
		return r.item.little()
	case r.item.kind == float:
		return "<f8"
	case r.item.kind == unsigned:
		return "<u8"
	}
	return "<i8"
}

// Spec returns the Spec of the result. Params may be set; the partition must not
// change, because Fill makes its chunks.
func (r *Reduction) Spec() b2nd.Spec { return r.spec }

// Fill makes chunk n of the result. It is a shard.Fill.
func (r *Reduction) Fill(dst []byte, n int64) error {
	w := r.cut.Window(n)
	acc := newAccumulators(r, w)
	if err := r.each(r.source(w), acc.add); err != nil {
		return err
	}
	return r.cut.Pack(dst, n, acc.bytes(), w)
}

// source returns the window of the array from which a window of the result is computed.
func (r *Reduction) source(w b2nd.Window) b2nd.Window {
	all := b2nd.All(r.src.Shape())
	for d, i := 0, 0; d < len(all); d++ {
		if !r.reduced[d] {
			all[d] = w[i]
			i++
		}
	}
	return all
}

// Number reduces all items of an array to one: an int64, a uint64 or a float64.
func Number(src *b2nd.Array, op Op) (any, error) {
	if err := framing.Need(src != nil, "source", "a *b2nd.Array"); err != nil {
		return nil, err
	}
	r, err := New(src, op)
	if err != nil {
		return nil, err
	}
	b := make([]byte, r.cut.ChunkBytes())
	if err := r.Fill(b, 0); err != nil {
		return nil, err
	}
	return r.number(b), nil
}

// number reads one item of the result.
func (r *Reduction) number(b []byte) any {
	t, err := meta.ParseDType(r.dtype())
	if err != nil {
		return nil
	}
	it, err := typeOf(t)
	if err != nil {
		return nil
	}
	var one [8]byte
	copy(one[:], b[:it.size])
	switch it.kind {
	case float:
		if it.size == 4 {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(one[:])))
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(one[:]))
	case unsigned:
		return binary.LittleEndian.Uint64(one[:])
	}
	shift := 64 - 8*it.size
	return int64(binary.LittleEndian.Uint64(one[:])<<shift) >> shift
}
