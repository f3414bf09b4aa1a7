package b2nd_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// With Auto, a table whose columns are of different kinds has blocks of one column.
// BlockShape keeps rows together, for programs that read single rows.
func ExampleNewWriter_auto() {
	var rows []int32 // of a time, a counter and a state
	for i := range int32(50000) {
		rows = append(rows, 1_700_000_000+60*i, i*i%1000, i/5000)
	}
	for _, blocks := range [][]int64{nil, {1000, 3}} {
		var file bytes.Buffer
		spec := b2nd.Spec{Shape: []int64{50000, 3}, DType: "<i4", BlockShape: blocks}
		w, err := b2nd.NewWriter(&file, spec, stream.Auto(tune.WAN))
		if err != nil {
			log.Fatal(err)
		}
		if _, err := b2nd.WriteSlice(w, rows); err != nil {
			log.Fatal(err)
		}
		if err := w.Close(); err != nil {
			log.Fatal(err)
		}
		a, err := b2nd.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(a.BlockShape())
	}
	// Output:
	// [50000 1]
	// [1000 3]
}
