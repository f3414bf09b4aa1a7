package b2nd_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"log"

	"github.com/seed03b80dae/blosc2/b2nd"
)

func counting(rows, cols int64) *b2nd.Array {
	var file bytes.Buffer
	if err := write(&file, rows, cols); err != nil {
		log.Fatal(err)
	}
	a, err := b2nd.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	return a
}

// write makes an array whose items count up.
func write(w io.Writer, rows, cols int64) error {
	aw, err := b2nd.NewWriter(w, b2nd.Spec{Shape: []int64{rows, cols}, DType: "<i4"})
	if err != nil {
		return err
	}
	row := make([]byte, 4*cols)
	for i := range rows {
		for j := range cols {
			binary.LittleEndian.PutUint32(row[4*j:], uint32(i*cols+j))
		}
		if _, err := aw.Write(row); err != nil {
			return err
		}
	}
	return aw.Close()
}
