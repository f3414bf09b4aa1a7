package cookbooktest_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"math"
	"os"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// Compress a file. The typesize is the length of an item in bytes; it is what
// makes numbers compress well. Abort does nothing after Close, and after an
// error it leaves the output recognisably unfinished.
func Example_compressFile() {
	in, err := os.Open("numbers.f4")
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	w, err := stream.CreateFile("numbers.b2frame", stream.TypeSize(4))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil)
	if _, err := stream.Copy(w, in); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Stats().Ratio() > 10)
	// Output: true
}

// Decompress a file. OpenFile reads frames of every generation.
func Example_decompressFile() {
	if err := compress("numbers.f4", "d.b2frame"); err != nil {
		log.Fatal(err)
	}
	r, err := stream.OpenFile("d.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	n, err := io.Copy(io.Discard, r)
	fmt.Println(n, err)
	// Output: 200000 <nil>
}

// Compress bytes in memory. The result is a whole frame, with its sizes and
// digests.
func Example_memory() {
	data := bytes.Repeat([]byte{1, 2, 3, 4}, 25_000)
	packed, err := stream.Compress(nil, data, stream.TypeSize(4))
	if err != nil {
		log.Fatal(err)
	}
	back, err := stream.Decompress(nil, packed)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(packed) < 1000, bytes.Equal(back, data))
	// Output: true true
}

// Write and read slices of numbers. Typesize and NumPy type come from the Go
// type.
func Example_slices() {
	w, err := stream.CreateFile("slices.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil)
	if _, err := stream.WriteSlice(w.Writer, []float64{1, 2, 4, 8}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := stream.OpenFile("slices.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	numbers := make([]float64, 10)
	n, err := stream.ReadSlice(r.Reader, numbers)
	fmt.Println(numbers[:n], err)
	// Output: [1 2 4 8] <nil>
}

// Write structs. They become items of a NumPy structured type, which Python
// reads by field.
func Example_structs() {
	type event struct {
		Time  int64   `blosc2:"time,datetime64[ms]"`
		Value float64 `blosc2:"value"`
	}
	w, err := stream.CreateFile("events.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil)
	if _, err := stream.WriteSlice(w.Writer, []event{{1000, 1.5}, {2000, 2.5}}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := stream.OpenFile("events.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	events := make([]event, 10)
	n, err := stream.ReadSlice(r.Reader, events)
	fmt.Println(events[:n], err)
	// Output: [{1000 1.5} {2000 2.5}] <nil>
}

// Choose codec and filters from the data, as blosc2 compress does without flags.
// Balanced suits most uses; Link, Memory, Disk, Network, WAN and Archive are for
// known destinations. The same data make the same file on every machine. ItemSize
// says how long items are; rows of several items may be compressed as one. TypeSize
// forbids that.
func Example_auto() {
	in, err := os.ReadFile("numbers.f4")
	if err != nil {
		log.Fatal(err)
	}
	packed, err := stream.Compress(nil, in, stream.ItemSize(4), stream.Auto(tune.Balanced))
	if err != nil {
		log.Fatal(err)
	}
	plain, err := stream.Compress(nil, in, stream.TypeSize(4))
	fmt.Println(len(packed) < len(plain), err)
	// Output: true <nil>
}

// Choose codec, level and filters. Filters are written as on the command line.
func Example_choose() {
	in, err := os.ReadFile("numbers.f4")
	if err != nil {
		log.Fatal(err)
	}
	pipeline, err := filters.Parse("shuffle,bytedelta:4")
	if err != nil {
		log.Fatal(err)
	}
	packed, err := stream.Compress(nil, in, stream.TypeSize(4),
		stream.Codec(blosc2.CodecZstd), stream.Level(9), stream.Filters(pipeline))
	fmt.Println(len(in)/len(packed) > 20, err)
	// Output: true <nil>
}

// Keep fewer digits. trunc_prec:10 keeps ten bits of the mantissa, with an error of
// at most one part in 1,024, and clears the rest, which then compresses well.
func Example_lossy() {
	var numbers []float32
	for i := range 10_000 {
		numbers = append(numbers, float32(math.Sqrt(float64(i))))
	}
	pipeline, err := filters.Parse("trunc_prec:10,shuffle")
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	w, err := stream.NewWriter(&file, stream.Filters(pipeline))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil)
	if _, err := stream.WriteSlice(w, numbers); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := stream.NewReader(&file)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	back := make([]float32, len(numbers))
	if _, err := stream.ReadSlice(r, back); err != nil {
		log.Fatal(err)
	}
	worst := 0.0
	for i, x := range numbers[1:] {
		worst = max(worst, math.Abs(float64(back[i+1]/x-1)))
	}
	fmt.Println(worst > 0, worst < 1.0/1024, w.Stats().Ratio() > 3)
	// Output: true true true
}

// Store metadata with the data. A metalayer is fixed when the frame begins; a
// vlmetalayer can be set until Close. Python reads values that are msgpack.
func Example_metadata() {
	station, err := meta.Encode(nil, "Potsdam")
	if err != nil {
		log.Fatal(err)
	}
	w, err := stream.CreateFile("meta.b2frame", stream.Metalayer("station", station))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil)
	if _, err := w.Write(make([]byte, 800)); err != nil {
		log.Fatal(err)
	}
	if err := w.SetVLMetaValue("quality", []any{"good", 3}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	f, err := frame.OpenFile("meta.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	value, _ := f.Metalayer("station")
	name, err := meta.Decode(value)
	if err != nil {
		log.Fatal(err)
	}
	quality, _, err := f.VLMetaValue("quality")
	fmt.Println(name, quality, err)
	// Output: Potsdam [good 3] <nil>
}

// Read at any offset. Only the blocks that hold the bytes are read and decoded.
// Many goroutines may share the frame.
func Example_readAt() {
	if err := compress("numbers.f4", "at.b2frame"); err != nil {
		log.Fatal(err)
	}
	f, err := frame.OpenFile("at.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	item := make([]byte, 4)
	if _, err := f.ReadAt(item, 4*1000); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Size(), item)
	// Output: 200000 [0 0 182 66]
}

// Iterate over a file chunk by chunk. One chunk is in memory at a time.
func Example_chunks() {
	if err := compress("numbers.f4", "chunks.b2frame", stream.ChunkSize(65536)); err != nil {
		log.Fatal(err)
	}
	f, err := frame.OpenFile("chunks.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for c, err := range f.Chunks(0) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.N, len(c.Data))
	}
	// Output:
	// 0 65536
	// 1 65536
	// 2 65536
	// 3 3392
}

// Join files. Chunks are copied, not compressed again.
func Example_join() {
	for _, name := range []string{"monday.b2frame", "tuesday.b2frame"} {
		if err := compress("numbers.f4", name); err != nil {
			log.Fatal(err)
		}
	}
	if err := frame.ConcatFiles("week.b2frame", []string{"monday.b2frame", "tuesday.b2frame"}); err != nil {
		log.Fatal(err)
	}
	f, err := frame.OpenFile("week.b2frame")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Size())
	// Output: 400000
}
