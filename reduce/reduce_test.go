package reduce_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/reduce"
)

var ops = []reduce.Op{reduce.Sum, reduce.Mean, reduce.Min, reduce.Max, reduce.Std, reduce.Count}

// The results of every operation along random axes of random arrays equal those of the
// simplest computation, and have the same bytes in any number of shards.
func TestReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		spec := b2nd.Spec{DType: []string{"<f8", "<f4", ">f8", "<i8", ">i2", "|u1", "<u4", "|i1", "|b1"}[r.IntN(9)]}
		n := 1
		for range 1 + r.IntN(4) {
			s := 1 + r.Int64N(9)
			c := 1 + r.Int64N(s)
			spec.Shape, spec.ChunkShape = append(spec.Shape, s), append(spec.ChunkShape, c)
			n *= int(s)
		}
		values := make([]float64, n)
		var data []byte
		for i := range values {
			values[i], data = item(r, spec.DType, data)
		}
		a := array(t, spec, data)
		axes := r.Perm(len(spec.Shape))[:1+r.IntN(len(spec.Shape))]
		for _, op := range ops {
			want := expected(op, values, spec.Shape, axes)
			one, out := result(t, a, op, axes, 1)
			more, _ := result(t, a, op, axes, 3)
			if !bytes.Equal(one, more) {
				t.Errorf("%v of %v: other bytes in several shards", op, spec)
			}
			got := readAll(t, out)
			if len(got) != len(want) {
				t.Fatalf("%v of %v along %v: %d items, want %d", op, spec, axes, len(got), len(want))
			}
			for i := range want {
				if d := math.Abs(got[i] - want[i]); !(d <= 1e-9*math.Max(1, math.Abs(want[i]))) && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
					t.Fatalf("%v of %v along %v: item %d is %v, want %v", op, spec, axes, i, got[i], want[i])
				}
			}
		}
	}
}

// item returns a random number, and appends it to data.
func item(r *rand.Rand, dtype string, data []byte) (float64, []byte) {
	var order binary.AppendByteOrder = binary.LittleEndian
	if dtype[0] == '>' {
		order = binary.BigEndian
	}
	switch dtype[1:] {
	case "f8":
		v := r.NormFloat64()
		if r.IntN(40) == 0 {
			v = math.NaN()
		}
		return v, order.AppendUint64(data, math.Float64bits(v))
	case "f4":
		v := float32(r.NormFloat64())
		return float64(v), order.AppendUint32(data, math.Float32bits(v))
	case "i8":
		v := r.Int64N(2e9) - 1e9
		return float64(v), order.AppendUint64(data, uint64(v))
	case "i2":
		v := int16(r.Int())
		return float64(v), order.AppendUint16(data, uint16(v))
	case "u4":
		v := r.Uint32()
		return float64(v), order.AppendUint32(data, v)
	case "i1":
		v := int8(r.Int())
		return float64(v), append(data, byte(v))
	case "b1":
		v := byte(r.IntN(2))
		return float64(v), append(data, v)
	}
	v := byte(r.Int())
	return float64(v), append(data, v)
}

// expected returns the result of reducing the values of an array, which are in C order.
func expected(op reduce.Op, values []float64, shape []int64, axes []int) []float64 {
	n := 1
	for d, s := range shape {
		if !slices.Contains(axes, d) {
			n *= int(s)
		}
	}
	groups := make([][]float64, n)
	for i, v := range values {
		to, step, rest := 0, 1, i
		for d := len(shape) - 1; d >= 0; d-- {
			if !slices.Contains(axes, d) {
				to += rest % int(shape[d]) * step
				step *= int(shape[d])
			}
			rest /= int(shape[d])
		}
		groups[to] = append(groups[to], v)
	}
	out := make([]float64, n)
	for i, g := range groups {
		out[i] = of(op, g)
	}
	return out
}

func readAll(t *testing.T, a *b2nd.Array) []float64 {
	t.Helper()
	b, err := a.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []float64
	for size := a.ItemSize(); len(b) > 0; b = b[size:] {
		switch a.DType().String() {
		case "<f8":
			out = append(out, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		case "<f4":
			out = append(out, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
		case "<i8":
			out = append(out, float64(int64(binary.LittleEndian.Uint64(b))))
		case "<u8":
			out = append(out, float64(binary.LittleEndian.Uint64(b)))
		case "<u4":
			out = append(out, float64(binary.LittleEndian.Uint32(b)))
		case "<i2":
			out = append(out, float64(int16(binary.LittleEndian.Uint16(b))))
		case "|i1":
			out = append(out, float64(int8(b[0])))
		case "|u1", "|b1":
			out = append(out, float64(b[0]))
		default:
			t.Fatalf("a result of dtype %v", a.DType())
		}
	}
	return out
}

func TestEmpty(t *testing.T) {
	a := array(t, b2nd.Spec{Shape: []int64{0, 3}, DType: "<f4"}, nil)
	_, out := result(t, a, reduce.Sum, []int{0}, 1)
	if got := readAll(t, out); !slices.Equal(got, []float64{0, 0, 0}) {
		t.Errorf("the sum of no items is %v", got)
	}
	if v, err := reduce.Number(a, reduce.Mean); err != nil || !math.IsNaN(v.(float64)) {
		t.Errorf("the mean of no items is %v, %v", v, err)
	}
	if _, err := reduce.Number(a, reduce.Min); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("the least of no items: %v", err)
	}
}

func TestRefused(t *testing.T) {
	a := array(t, b2nd.Spec{Shape: []int64{2, 3}, DType: "<f4"}, make([]byte, 24))
	for _, axes := range [][]int{{2}, {-3}, {0, 0}, {1, -1}} {
		if _, err := reduce.New(a, reduce.Sum, axes...); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("axes %v: %v", axes, err)
		}
	}
	if _, err := reduce.New(a, 99); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("operation 99: %v", err)
	}
	s := array(t, b2nd.Spec{Shape: []int64{2}, DType: "|S3"}, make([]byte, 6))
	if _, err := reduce.New(s, reduce.Sum); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Errorf("strings: %v", err)
	}
}

// Sums of integers are exact, and wrap around as in NumPy.
func TestIntegersAreExact(t *testing.T) {
	var data []byte
	for _, v := range []uint64{1 << 62, 1<<62 + 1, 1 << 62, 1 << 62} {
		data = binary.LittleEndian.AppendUint64(data, v)
	}
	for dtype, want := range map[string]any{"<u8": uint64(1), "<i8": int64(1)} {
		a := array(t, b2nd.Spec{Shape: []int64{4}, DType: dtype, ChunkShape: []int64{3}}, data)
		if v, err := reduce.Number(a, reduce.Sum); err != nil || v != want {
			t.Errorf("%s: the sum is %v, %v, want %v", dtype, v, err, want)
		}
		if v, err := reduce.Number(a, reduce.Mean); err != nil || v != float64(1<<62) {
			t.Errorf("%s: the mean is %v, %v", dtype, v, err)
		}
	}
}
