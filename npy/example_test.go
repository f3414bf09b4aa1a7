package npy_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2/npy"
)

// A table is written row by row; the number of rows is not known in advance.
func Example() {
	var file bytes.Buffer
	w, err := npy.NewWriter(&file, npy.Header{DType: "<i4", Shape: []int64{npy.Unknown, 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range int32(3) {
		if err := binary.Write(w, binary.LittleEndian, []int32{i, i * i}); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	r, err := npy.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	items, err := io.ReadAll(r)
	fmt.Println(r.Header.DType, r.Header.Shape, len(items), "bytes", err)
	// Output: <i4 [3 2] 24 bytes <nil>
}

func ExampleNPZWriter() {
	var file bytes.Buffer
	z := npy.NewNPZWriter(&file, true)
	w, err := z.Create("name", npy.Header{DType: "|S5"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := io.WriteString(w, "Blosc"); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	if err := z.Close(); err != nil {
		fmt.Println(err)
		return
	}

	npz, err := npy.OpenNPZ(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range npz.Names() {
		m, err := npz.Open(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		items, err := io.ReadAll(m)
		fmt.Println(name, m.Header.DType, string(items), err)
		m.Close()
	}
	// Output: name |S5 Blosc <nil>
}
