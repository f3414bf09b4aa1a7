package npy

import (
	"encoding/binary"
	"io"
)

// A fortran reads an array in Fortran order and returns it in C order, slab by
// slab. A slab is a number of slices along the first dimension.
type fortran struct {
	shape []int64
	item  int   // bytes of an item
	rows  int64 // rows of a slab

	sequential io.Reader   // source of all items, if a slab is the whole array
	source     io.ReaderAt // otherwise the source, in which the items begin at base
	base       int64

	done   int64 // number of rows converted so far
	column []byte
	slab   []byte
	rest   []byte // the part of slab that has not been read yet
}

func (f *fortran) Read(p []byte) (int, error) {
	if len(f.rest) == 0 && len(p) > 0 {
		if f.done == f.shape[0] {
			return 0, io.EOF
		}
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// next converts the next slab to C order. In the file the rows of a slab form columns,
// one for each index of the other dimensions, the second dimension varying fastest.
func (f *fortran) next() error {
	rows := min(f.rows, f.shape[0]-f.done)
	columns := int64(1)
	for _, n := range f.shape[1:] {
		columns *= n
	}
	if f.slab == nil {
		f.slab = make([]byte, rows*columns*int64(f.item))
		f.column = make([]byte, rows*int64(f.item))
	}
	column := f.column[:rows*int64(f.item)]
	place := make([]int64, len(f.shape))
	for c := range columns {
		if err := f.read(column, (c*f.shape[0]+f.done)*int64(f.item)); err != nil {
			return err
		}
		to, stride := int64(0), int64(1) // offset in a row of C order, in items
		for d := len(f.shape) - 1; d > 0; d-- {
			to += place[d] * stride
			stride *= f.shape[d]
		}
		spread(f.slab[to*int64(f.item):], column, f.item, int(columns)*f.item)
		for d := 1; d < len(f.shape); d++ {
			if place[d]++; place[d] < f.shape[d] {
				break
			}
			place[d] = 0
		}
	}
	f.done += rows
	f.rest = f.slab[:rows*columns*int64(f.item)]
	return nil
}

// read reads the items at an offset, which must be the next one if the source
// is sequential.
func (f *fortran) read(b []byte, off int64) error {
	if f.sequential != nil {
		return readFull(f.sequential, b)
	}
	n, err := f.source.ReadAt(b, f.base+off)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// spread copies items of size bytes to dst, stride bytes apart.
func spread(dst, items []byte, size, stride int) {
	le := binary.LittleEndian // any byte order works, because loads and stores use the same
	for at := 0; len(items) > 0; at += stride {
		switch size {
		case 1:
			dst[at] = items[0]
		case 2:
			le.PutUint16(dst[at:], le.Uint16(items))
		case 4:
			le.PutUint32(dst[at:], le.Uint32(items))
		case 8:
			le.PutUint64(dst[at:], le.Uint64(items))
		default:
			copy(dst[at:at+size], items)
		}
		items = items[size:]
	}
}
