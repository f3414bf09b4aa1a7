package shard_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// Three workers, which may be three machines, compress one input into one folder.
func Example() {
	input := bytes.NewReader(make([]byte, 5<<20))
	folder, err := os.MkdirTemp("", "shards")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)

	for k := range 3 { // each on its own machine, in any order
		plan, err := shard.NewPlan(input.Size(), 3, stream.TypeSize(4))
		if err != nil {
			log.Fatal(err)
		}
		if err := shard.WriteShardFile(folder, plan, k, plan.FromReaderAt(input)); err != nil {
			log.Fatal(err)
		}
	}

	out := filepath.Join(folder, "out.b2frame")
	if err := shard.AssembleFolder(out, folder); err != nil {
		log.Fatal(err)
	}
	r, err := stream.OpenFile(out)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	n, err := r.WriteTo(new(bytes.Buffer))
	fmt.Println(n, err)
	// Output: 5242880 <nil>
}

// An error names the shards that are missing.
func ExampleAssembleFolder_missing() {
	folder, err := os.MkdirTemp("", "shards")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	input := bytes.NewReader(make([]byte, 8<<20))
	plan, err := shard.NewPlan(input.Size(), 8)
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range []int{0, 1, 4, 7} {
		if err := shard.WriteShardFile(folder, plan, k, plan.FromReaderAt(input)); err != nil {
			log.Fatal(err)
		}
	}
	err = shard.AssembleFolder(filepath.Join(folder, "out"), folder)
	fmt.Println(err, errors.Is(err, shard.ErrMissing))
	// Output: shards 2-3, 5-6 of 8: missing true
}

// A worker may compute its chunks. Here each item of an array is the sum of its
// coordinates.
func ExamplePlan_WriteShard() {
	spec := b2nd.Spec{Shape: []int64{6, 4}, DType: "|u1", ChunkShape: []int64{2, 4}}
	plan, err := shard.NewArrayPlan(spec, 2)
	if err != nil {
		log.Fatal(err)
	}
	cut, err := b2nd.NewCut(plan.Descriptor(), 1)
	if err != nil {
		log.Fatal(err)
	}
	fill := func(dst []byte, n int64) error {
		w := cut.Window(n)
		var items []byte
		for i := w[0].Start; i < w[0].Stop; i++ {
			for j := w[1].Start; j < w[1].Stop; j++ {
				items = append(items, byte(i+j))
			}
		}
		return cut.Pack(dst, n, items, w)
	}
	var body bytes.Buffer
	m, err := plan.WriteShard(&body, 0, fill)
	if err != nil {
		log.Fatal(err)
	}
	first, end := plan.Chunks(m.Shard)
	fmt.Println(first, end, len(m.Chunks), m.Len() == int64(body.Len()))
	// Output: 0 1 1 true
}
