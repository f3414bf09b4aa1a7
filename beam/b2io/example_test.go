package b2io_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/beam/b2io"
	"github.com/seed03b80dae/blosc2/shard"
)

func init() { register.Function1x0(show) }

func show(mean float64) { fmt.Println("mean", mean) }

// The mean of all items of an array is computed by as many workers as the runner
// has.
func Example() {
	dir, err := os.MkdirTemp("", "b2io")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	in := filepath.Join(dir, "in.b2nd")
	spec, err := b2nd.SpecOf[float64](4, 100)
	if err != nil {
		log.Fatal(err)
	}
	f, err := os.Create(in)
	if err != nil {
		log.Fatal(err)
	}
	w, err := b2nd.NewWriter(f, spec)
	if err != nil {
		log.Fatal(err)
	}
	for row := range 4 {
		line := make([]float64, 100)
		for i := range line {
			line[i] = float64(row)
		}
		if _, err := b2nd.WriteSlice(w, line); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}

	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, show, b2io.Mean(s, b2io.Read(s, in)))
	if err := beamx.Run(context.Background(), p); err != nil {
		log.Fatal(err)
	}
	// Output: mean 1.5
}

// An array is rechunked: its windows go to the workers that make the shards of the
// new one.
func ExampleWrite() {
	spec := b2nd.Spec{Shape: []int64{4096, 512, 512}, DType: "<f4", ChunkShape: []int64{4096, 8, 8}}
	plan, err := shard.NewArrayPlan(spec, 64)
	if err != nil {
		log.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	b2io.Write(s, "/data/by-place.b2nd", plan, b2io.Read(s, "https://example.org/by-time.b2nd"))
	_ = p // a program calls beamx.Run(ctx, p)
}
