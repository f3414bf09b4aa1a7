package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/npy"
)

// npyLayer is the metalayer of an array from a .npy file in Fortran order. It holds a
// map in which "fortran_order" is true. The array itself is in C order.
const npyLayer = "npy"

const fortranKey = "fortran_order"

// orderLayers returns the metalayer of the order for the items of a .npy file, if it
// needs one.
func orderLayers(h *npy.Header) ([]meta.Layer, error) {
	if !h.Fortran {
		return nil, nil
	}
	value, err := meta.Encode(nil, meta.Map{{Key: fortranKey, Value: true}})
	return []meta.Layer{{Name: npyLayer, Value: value}}, err
}

// inFortran reports whether an array was in Fortran order.
func inFortran(layers []meta.Layer) bool {
	fields, _ := fieldsOf(layers, npyLayer)
	was, _ := fields.Get(fortranKey)
	yes, _ := was.(bool)
	return yes
}

// headerOf returns the header of an array's .npy file.
func headerOf(a *b2nd.Array) npy.Header {
	return npy.Header{DType: itemType(a).String(), Shape: a.Shape(), Fortran: inFortran(a.Frame().Metalayers())}
}

// writeOrdered writes the items of an array in the order that the header of its .npy
// file states.
func writeOrdered(w io.Writer, a *b2nd.Array, inC func(w io.Writer) error) error {
	if inFortran(a.Frame().Metalayers()) && len(a.Shape()) > 1 && a.Len() > 0 {
		return writeFortran(w, a, maxFortran)
	}
	return inC(w)
}

// writeFortran writes the items in Fortran order. It reads the array for a few indices
// of the last dimension at a time, with at most limit bytes in memory.
func writeFortran(w io.Writer, a *b2nd.Array, limit int64) error {
	shape, item := a.Shape(), int64(a.ItemSize())
	n := len(shape) - 1
	last := shape[n]
	one := a.Size() / last
	if one > limit {
		return fmt.Errorf("%w: items in Fortran order with slices of %s bytes; must be at most %s; --raw writes C order", blosc2.ErrTooLarge, commas(one), commas(limit))
	}
	out := bufio.NewWriterSize(w, 1<<20)
	start, stop := make([]int64, n+1), a.Shape()
	strides := make([]int64, n+1)
	var slab []byte
	for at := int64(0); at < last; at = stop[n] {
		start[n], stop[n] = at, min(at+max(limit/one, 1), last)
		slab = append(slab[:0], make([]byte, one*(stop[n]-at))...)
		if err := a.ReadSlice(slab, start, stop); err != nil {
			return err
		}
		stride := item
		for i := n; i >= 0; i-- {
			strides[i] = stride
			stride *= stop[i] - start[i]
		}
		var write func(dim int, off int64)
		write = func(dim int, off int64) {
			for i := int64(0); i < stop[dim]-start[dim]; i++ {
				if dim > 0 {
					write(dim-1, off)
				} else {
					out.Write(slab[off : off+item]) // an error is returned by Flush
				}
				off += strides[dim]
			}
		}
		write(n, 0)
	}
	return out.Flush()
}
