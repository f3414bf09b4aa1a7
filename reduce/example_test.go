package reduce_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/reduce"
	"github.com/seed03b80dae/blosc2/shard"
)

// example returns the array [[1 2 3] [4 5 6]].
func example() *b2nd.Array {
	spec, err := b2nd.SpecOf[float32](2, 3)
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	w, err := b2nd.NewWriter(&b, spec)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := b2nd.WriteSlice(w, []float32{1, 2, 3, 4, 5, 6}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	a, err := b2nd.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		log.Fatal(err)
	}
	return a
}

func ExampleNumber() {
	fmt.Println(reduce.Number(example(), reduce.Sum))
	fmt.Println(reduce.Number(example(), reduce.Max))
	// Output:
	// 21 <nil>
	// 6 <nil>
}

// The means of the columns become an array in a file.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "reduce")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "mean.b2nd")

	r, err := reduce.New(example(), reduce.Mean, 0)
	if err != nil {
		log.Fatal(err)
	}
	plan, err := shard.NewArrayPlan(r.Spec(), 1)
	if err != nil {
		log.Fatal(err)
	}
	if err := shard.WriteFile(out, plan, r.Fill); err != nil {
		log.Fatal(err)
	}

	mean, err := b2nd.OpenFile(out)
	if err != nil {
		log.Fatal(err)
	}
	defer mean.Close()
	fmt.Println(b2nd.Read[float64](mean, b2nd.All(mean.Shape())))
	// Output: [2.5 3.5 4.5] <nil>
}
