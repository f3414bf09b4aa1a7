package npy_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log"

	"github.com/seed03b80dae/blosc2/b2nd/npy"
	"github.com/seed03b80dae/blosc2/meta"
)

func Example() {
	dtype, err := meta.ParseDType("float32")
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	w, err := npy.NewWriter(&file, npy.Header{DType: dtype, Shape: []int64{npy.Unknown, 2}})
	if err != nil {
		log.Fatal(err)
	}
	for row := range 3 {
		if err := binary.Write(w, binary.LittleEndian, []float32{float32(row), 0.5}); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := npy.NewReader(&file)
	if err != nil {
		log.Fatal(err)
	}
	items := make([]float32, 6)
	if err := binary.Read(r, binary.LittleEndian, items); err != nil {
		log.Fatal(err)
	}
	h := r.Header()
	fmt.Println(h.DType, h.Shape, items)
	// Output: <f4 [3 2] [0 0.5 1 0.5 2 0.5]
}
