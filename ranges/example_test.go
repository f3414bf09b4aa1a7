package ranges_test

import (
	"context"
	"fmt"
	"log"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/fartest"
	"github.com/seed03b80dae/blosc2/ranges"
	"github.com/seed03b80dae/blosc2/stream"
)

// A shelf is a source, because it has the methods ReadAt and ReadRanges.
type shelf struct{ *fartest.Source }

func (s shelf) ReadRanges(ctx context.Context, rs []ranges.Range) error {
	fmt.Println("asked for", len(rs), "ranges at once")
	return s.Source.ReadRanges(ctx, rs)
}

// A source with the method ReadRanges receives all needed ranges in one call.
func ExampleReaderAt() {
	data := make([]byte, 100<<10)
	for i := range data {
		data[i] = byte(i * i >> 4)
	}
	file, err := stream.Compress(nil, data)
	if err != nil {
		log.Fatal(err)
	}
	f, err := frame.Open(shelf{&fartest.Source{Data: file}}, int64(len(file)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Size(), "bytes in", f.NumChunks(), "chunk")
	// Output:
	// asked for 1 ranges at once
	// 102400 bytes in 1 chunk
}

func ExampleMerge() {
	spans := []ranges.Span{{Off: 5000, Len: 100}, {Off: 0, Len: 10}, {Off: 5200, Len: 100}}
	fmt.Println(ranges.Merge(spans, 1000, 4<<20))
	// Output: [{0 10} {5000 300}]
}
