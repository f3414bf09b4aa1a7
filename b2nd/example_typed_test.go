package b2nd_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
)

// Rows of numbers become an array, which records their type.
func ExampleWriteSlice() {
	spec, err := b2nd.SpecOf[float32](b2nd.Unknown, 3)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // or a file, a pipe, a socket
	w, err := b2nd.NewWriter(&file, spec)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 100 {
		row := []float32{float32(i), float32(i) / 2, float32(i) / 4}
		if _, err := b2nd.WriteSlice(w, row); err != nil {
			log.Fatal(err)
		}
	}
	_, err = b2nd.WriteSlice(w, []float64{1, 2, 3})
	fmt.Println(err)
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	a, err := b2nd.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	last, err := b2nd.Read[float32](a, b2nd.Window{{Start: 99, Stop: 100}, {Stop: 3}})
	fmt.Println(a.Shape(), last, err)
	// Output:
	// blosc2: item type float64 (<f8): must be <f4, the array's type
	// [100 3] [99 49.5 24.75] <nil>
}

// Structs are items of a NumPy structured type. Tags name the fields, and set the
// NumPy type of a field if several correspond to the same Go type.
func ExampleSpecOf() {
	type sample struct {
		Time    int64      `blosc2:"time,datetime64[s]"`
		Station [4]byte    `blosc2:"station,S4"`
		Wind    [2]float32 `blosc2:"wind"`
	}
	spec, err := b2nd.SpecOf[sample](2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(spec.DType)
	var file bytes.Buffer
	w, err := b2nd.NewWriter(&file, spec)
	if err != nil {
		log.Fatal(err)
	}
	_, err = b2nd.WriteSlice(w, []sample{
		{1_700_000_000, [4]byte{'E', 'D', 'D', 'M'}, [2]float32{1, 2}},
		{1_700_000_060, [4]byte{'E', 'D', 'D', 'F'}, [2]float32{3, 4}},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	a, err := b2nd.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	// A struct need not have all the fields to read some of them.
	type wind struct {
		Wind [2]float32 `blosc2:"wind"`
	}
	items, err := b2nd.Read[wind](a, nil)
	fmt.Println(items, err)
	// Output:
	// [('time', '<M8[s]'), ('station', '|S4'), ('wind', '<f4', (2,))]
	// [{[1 2]} {[3 4]}] <nil>
}

// DType returns NumPy's type for a Go type.
func ExampleDType() {
	for _, dtype := range []func() (string, error){
		func() (string, error) { d, err := b2nd.DType[float64](); return d.String(), err },
		func() (string, error) { d, err := b2nd.DType[struct{ X, Y int16 }](); return d.String(), err },
		func() (string, error) { d, err := b2nd.DType[int](); return d.String(), err },
	} {
		text, err := dtype()
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(text)
	}
	// Output:
	// <f8
	// [('X', '<i2'), ('Y', '<i2')]
	// blosc2: item type int: must be of a size that is the same on every machine, such as int64 or uint64
}

// An array is sent through a pipe and used while it arrives.
func ExampleReader() {
	pr, pw := io.Pipe()
	go func() {
		spec, err := b2nd.SpecOf[int32](3, 4)
		if err != nil {
			pw.CloseWithError(err)
			return
		}
		w, err := b2nd.NewWriter(pw, spec)
		if err != nil {
			pw.CloseWithError(err)
			return
		}
		for i := range int32(3) {
			if _, err := b2nd.WriteSlice(w, []int32{i, 10 * i, 100 * i, 1000 * i}); err != nil {
				pw.CloseWithError(err)
				return
			}
		}
		pw.CloseWithError(w.Close())
	}()

	r, err := b2nd.NewReader(pr)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	fmt.Println(r.Shape(), r.DType())
	row := make([]int32, 4)
	for {
		n, err := b2nd.ReadSlice(r, row)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(row[:n])
	}
	// Output:
	// [3 4] <i4
	// [0 0 0 0]
	// [1 10 100 1000]
	// [2 20 200 2000]
}

// A window of an array is set, and rows are added, in one commit.
func ExampleSet() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.b2nd")
	file, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	if err := write(file, 2, 3); err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}

	e, err := b2nd.EditFile(path)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	if err := b2nd.Set(e, b2nd.Window{{Start: 0, Stop: 2}, {Start: 1, Stop: 2}}, []int32{-1, -2}); err != nil {
		log.Fatal(err)
	}
	if err := b2nd.AppendSlice(e, 0, []int32{7, 8, 9}); err != nil {
		log.Fatal(err)
	}
	if err := e.Commit(); err != nil {
		log.Fatal(err)
	}

	a, err := b2nd.OpenFile(path)
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	items, err := b2nd.Read[int32](a, nil)
	fmt.Println(a.Shape(), items, err)
	// Output: [3 3] [0 -1 2 3 -2 5 7 8 9] <nil>
}

// A new array is created with the type, partition, codec and filters of an existing
// one.
func ExampleArray_Spec() {
	a := counting(100, 50)
	spec := a.Spec()
	spec.Shape[0] = b2nd.Unknown
	spec.Params.Level = 9
	var file bytes.Buffer
	w, err := b2nd.NewWriter(&file, spec)
	if err != nil {
		log.Fatal(err)
	}
	for range 3 { // append the items three times
		if _, err := a.WriteTo(w); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	b, err := b2nd.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Shape(), b.ChunkShape(), b.Frame().Header().Codec, b.Frame().Header().Level)
	// Output: [300 50] [100 50] lz4 9
}

// Many arrays share one cache of bounded size, because little of each is read.
func ExampleCache() {
	var file bytes.Buffer
	if err := write(&file, 1000, 1000); err != nil {
		log.Fatal(err)
	}
	cache := frame.NewBlockCache(64 << 20)
	sum := int64(0)
	for range 3 {
		a, err := b2nd.Open(bytes.NewReader(file.Bytes()), int64(file.Len()), b2nd.FrameOptions(frame.UseCache(cache)))
		if err != nil {
			log.Fatal(err)
		}
		for i := range int64(1000) { // each block is decoded once
			v, err := b2nd.At[int32](a, i, i)
			if err != nil {
				log.Fatal(err)
			}
			sum += int64(v)
		}
	}
	fmt.Println(sum)
	// Output: 1499998500
}

// An existing slice is filled repeatedly.
func ExampleReadInto() {
	a := counting(100, 100)
	row := make([]int32, 100)
	sum := int32(0)
	for i := range int64(100) {
		if err := b2nd.ReadInto(a, row, b2nd.Window{{Start: i, Stop: i + 1}, {Stop: 100}}); err != nil {
			log.Fatal(err)
		}
		sum += row[0]
	}
	fmt.Println(sum)
	// Output: 495000
}
