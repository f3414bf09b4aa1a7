package arrow_test

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/seed03b80dae/blosc2/arrow"
	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

func ExampleNewReader() {
	b, err := table.NewBuilder(table.Spec{Name: "id", Kind: table.Int64}, table.Spec{Name: "name", Kind: table.UTF8, Nullable: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	err = b.Append(table.Cells{Values: []int64{1, 2}}, table.Cells{Values: []string{"one", ""}, Valid: []bool{true, false}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var buf bytes.Buffer
	if err := b.Write(&buf); err != nil {
		fmt.Println(err)
		return
	}

	s, err := tree.Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := table.Open(s, "/")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := arrow.NewReader(t, memory.DefaultAllocator)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Release()
	for r.Next() {
		fmt.Println(r.RecordBatch().Column(0), r.RecordBatch().Column(1))
	}
	fmt.Println(r.Err())
	// Output:
	// [1 2] ["one" (null)]
	// <nil>
}
