package cookbooktest_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/npy"
	"github.com/seed03b80dae/blosc2/stream"
)

// Write an array row by row. The number of rows need not be known.
func Example_array() {
	spec, err := b2nd.SpecOf[float32](b2nd.Unknown, 3)
	if err != nil {
		log.Fatal(err)
	}
	w, err := b2nd.CreateFile("rows.b2nd", spec)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil)
	for i := range 100 {
		if _, err := b2nd.WriteSlice(w.Writer, []float32{float32(i), float32(i) / 2, float32(i) / 4}); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(w.Close(), w.Shape())
	// Output: <nil> [100 3]
}

// Read a window of an array. Windows are written as in NumPy.
func Example_window() {
	if err := counting("window.b2nd", 1000, 100); err != nil {
		log.Fatal(err)
	}
	a, err := b2nd.OpenFile("window.b2nd")
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	window, err := b2nd.ParseWindow("500,10:13", a.Shape())
	if err != nil {
		log.Fatal(err)
	}
	items, err := b2nd.Read[int32](a, window)
	fmt.Println(items, err)
	// Output: [50010 50011 50012] <nil>
}

// Change an array in its file. Readers see no change before Commit, and all of them
// after it.
func Example_edit() {
	if err := counting("edit.b2nd", 2, 3); err != nil {
		log.Fatal(err)
	}
	e, err := b2nd.EditFile("edit.b2nd")
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

	a, err := b2nd.OpenFile("edit.b2nd")
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	items, err := b2nd.Read[int32](a, nil)
	fmt.Println(a.Shape(), items, err)
	// Output: [3 3] [0 -1 2 3 -2 5 7 8 9] <nil>
}

// Iterate over an array of any size. One chunk is in memory at a time.
func Example_mean() {
	if err := counting("mean.b2nd", 1000, 300); err != nil {
		log.Fatal(err)
	}
	a, err := b2nd.OpenFile("mean.b2nd")
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	sum, row := 0.0, make([]int32, 300)
	for i := range a.Shape()[0] {
		if err := b2nd.ReadInto(a, row, b2nd.Window{{Start: i, Stop: i + 1}, {Stop: 300}}); err != nil {
			log.Fatal(err)
		}
		for _, v := range row {
			sum += float64(v)
		}
	}
	fmt.Println(sum / float64(a.Len()))
	// Output: 149999.5
}

// Convert a NumPy file to an array, and an array to a NumPy file.
func Example_npy() {
	var numpy bytes.Buffer // as np.save writes it
	nw, err := npy.NewWriter(&numpy, npy.Header{DType: "<i4", Shape: []int64{2, 3}})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := nw.Write(make([]byte, 24)); err != nil {
		log.Fatal(err)
	}
	if err := nw.Close(); err != nil {
		log.Fatal(err)
	}

	nr, err := npy.NewReader(&numpy)
	if err != nil {
		log.Fatal(err)
	}
	items, err := nr.COrder(1 << 30)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	w, err := b2nd.NewWriter(&file, b2nd.Spec{Shape: nr.Header.Shape, DType: nr.Header.DType})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil)
	if _, err := stream.Copy(w, items); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	a, err := b2nd.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	out, err := npy.NewWriter(io.Discard, npy.Header{DType: a.DType().String(), Shape: a.Shape()})
	if err != nil {
		log.Fatal(err)
	}
	n, err := a.WriteTo(out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, out.Close())
	// Output: 24 <nil>
}

// Make an array of a terabyte. Zeros take no space; items are set later.
func Example_zeros() {
	file, err := os.Create("huge.b2nd")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	spec := b2nd.Spec{Shape: []int64{1 << 20, 1 << 17}, DType: "<f8"}
	if err := b2nd.Zeros(file, spec); err != nil {
		log.Fatal(err)
	}
	a, err := b2nd.OpenFile("huge.b2nd")
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	v, err := b2nd.At[float64](a, 1000000, 99999)
	fmt.Println(a.Size()>>30, "GiB", v, err)
	// Output: 1024 GiB 0 <nil>
}
