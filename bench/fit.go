package main

import (
	"bytes"
	"fmt"
	"go/format"
	"math"

	"github.com/seed03b80dae/blosc2/internal/cost"
)

// pull is the weight with which the constants for a kind of bytes are drawn to
// those for all kinds, so that a kind with few files is not fitted to noise.
const pull = 0.05

// fitRounds is the number of times that the logarithm is linearized, each time at
// the latest estimates.
const fitRounds = 8

// fit finds the constants of the cost model that explain the times of a grid best. None
// of them is negative. It minimizes the squares of the differences between the
// logarithms of estimates and times. With relative errors instead of logarithms,
// estimates would be too low, and lower the more the times scatter.
func fit(grid []*cell) ([]cost.Row, []cost.Kernel) {
	pooled, _, systems := fitBy(grid, nil, func(c *cell) cost.Kind { return 0 })
	near := func(r *cost.Row, direction int) (x, weight [cost.Features]float64) {
		for i := range pooled {
			if p := &pooled[i]; p.Codec == r.Codec && p.Level == r.Level {
				first := len(systems[direction].b) - cost.Features*(len(pooled)-i)
				for j := range x {
					x[j] = float64([2][cost.Features]int64{p.Compress, p.Expand}[direction][j])
					weight[j] = pull * systems[direction].a[first+j][first+j]
				}
			}
		}
		return x, weight
	}
	rows, kernels, _ := fitBy(grid, near, func(c *cell) cost.Kind { return cost.KindOf(&c.params) })
	return rows, kernels
}

// fitBy fits a row for each codec, level and kind. near returns the values to which
// a row is drawn in a direction, and the weight.
func fitBy(grid []*cell, near func(*cost.Row, int) (x, weight [cost.Features]float64), kindOf func(*cell) cost.Kind) (rows []cost.Row, kernels []cost.Kernel, systems [2]*system) {
	rowKey := func(c *cell) string { return fmt.Sprint(c.params.Codec, c.params.Level, kindOf(c)) }
	kernelOf, rowOf := map[string]int{}, map[string]int{}
	for _, c := range grid {
		name := cost.Name(&c.params)
		if _, ok := kernelOf[name]; !ok {
			kernelOf[name] = len(kernels)
			kernels = append(kernels, cost.Kernel{Filters: name})
		}
		key := rowKey(c)
		if _, ok := rowOf[key]; !ok {
			rowOf[key] = len(rows)
			rows = append(rows, cost.Row{Codec: c.params.Codec, Level: c.params.Level, Kind: kindOf(c)})
		}
	}
	terms := func(c *cell) (at []int, v []float64) {
		at, v = append(at, kernelOf[cost.Name(&c.params)]), append(v, float64(c.bytes))
		first := len(kernels) + cost.Features*rowOf[rowKey(c)]
		for i, count := range c.work.Vector() {
			at, v = append(at, first+i), append(v, float64(count))
		}
		return at, v
	}
	n := len(kernels) + cost.Features*len(rows)
	for direction := range 2 {
		estimates := make([]float64, len(grid)) // estimated times, in units
		for i, c := range grid {
			estimates[i] = c.units(direction)
		}
		var x []float64
		for range fitRounds {
			s := newSystem(n)
			for i, c := range grid {
				at, v := terms(c)
				for j := range v {
					v[j] /= estimates[i]
				}
				s.add(at, v, 1+min(max(math.Log(c.units(direction)/estimates[i]), -1), 1))
			}
			systems[direction] = s
			for i := range rows {
				if near == nil {
					break
				}
				x, weight := near(&rows[i], direction)
				for j := range x {
					at := len(kernels) + cost.Features*i + j
					s.a[at][at] += weight[j]
					s.b[at] += weight[j] * x[j]
				}
			}
			x = s.solve()
			for i, c := range grid {
				sum := 0.0
				at, v := terms(c)
				for j := range v {
					sum += v[j] * x[at[j]]
				}
				estimates[i] = max(sum, c.units(direction)/4)
			}
		}
		for i := range kernels {
			put(direction, &kernels[i].Compress, &kernels[i].Expand, x[i])
		}
		for i := range rows {
			for j := range cost.Features {
				put(direction, &rows[i].Compress[j], &rows[i].Expand[j], x[len(kernels)+cost.Features*i+j])
			}
		}
	}
	return rows, kernels, systems
}

// units returns the time to compress or decompress in units of the cost model.
func (c *cell) units(direction int) float64 { return c.seconds[direction] * 1e9 * cost.Unit }

func put(direction int, compress, expand *int64, x float64) {
	if direction == 0 {
		*compress = int64(math.Round(x))
		return
	}
	*expand = int64(math.Round(x))
}

// A system holds the normal equations of a least-squares problem.
type system struct {
	a [][]float64
	b []float64
}

func newSystem(n int) *system {
	s := &system{make([][]float64, n), make([]float64, n)}
	for i := range s.a {
		s.a[i] = make([]float64, n)
	}
	return s
}

// add adds an equation: the sum of the unknowns at, with coefficients v, is y.
func (s *system) add(at []int, v []float64, y float64) {
	for i, p := range at {
		for j, q := range at {
			s.a[p][q] += v[i] * v[j]
		}
		s.b[p] += v[i] * y
	}
}

// solve improves one unknown at a time, keeping each nonnegative.
func (s *system) solve() []float64 {
	x := make([]float64, len(s.b))
	for range 20_000 {
		change := 0.0
		for i := range x {
			if s.a[i][i] == 0 {
				continue
			}
			r := s.b[i]
			for j, a := range s.a[i] {
				r -= a * x[j]
			}
			was := x[i]
			x[i] = max(0, was+r/s.a[i][i])
			change = max(change, math.Abs(x[i]-was)*math.Sqrt(s.a[i][i]))
		}
		if change < 1e-9 {
			break
		}
	}
	return x
}

// costTable returns the constants as the source of a Go file for internal/cost.
func costTable(rows []cost.Row, kernels []cost.Kernel) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated by bench -sections fit; DO NOT EDIT.\n\npackage cost\n\nimport \"github.com/seed03b80dae/blosc2\"\n\n")
	b.WriteString("// Kernels are the constants of filters.\nvar Kernels = []Kernel{\n")
	for _, k := range kernels {
		fmt.Fprintf(&b, "{Filters: %q, Compress: %d, Expand: %d},\n", k.Filters, k.Compress, k.Expand)
	}
	b.WriteString("}\n\n// Rows are those of codecs. Their columns are those of Vector.\nvar Rows = []Row{\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "{Codec: %s, Level: %d, Kind: %s, Compress: %s, Expand: %s},\n", goNames[r.Codec], r.Level, [...]string{"Planes", "Bytes", "Values"}[r.Kind], constants(r.Compress), constants(r.Expand))
	}
	b.WriteString("}\n")
	return format.Source(b.Bytes())
}

func constants(v [cost.Features]int64) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "[Features]int64{")
	for i, n := range v {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, n)
	}
	return b.String() + "}"
}
