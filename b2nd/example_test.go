package b2nd_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// A producer writes rows as they arrive and does not know how many there will
// be.
func Example() {
	var file bytes.Buffer // or a file, a pipe, a socket
	w, err := b2nd.NewWriter(&file, b2nd.Spec{Shape: []int64{b2nd.Unknown, 4}, DType: "<i4"})
	if err != nil {
		log.Fatal(err)
	}
	for row := range int32(1000) {
		if _, err := b2nd.WriteSlice(w, []int32{10 * row, 10*row + 1, 10*row + 2, 10*row + 3}); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	a, err := b2nd.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	window, err := b2nd.ParseWindow("998:,1:3", a.Shape())
	if err != nil {
		log.Fatal(err)
	}
	items, err := b2nd.Read[int32](a, window)
	fmt.Println(a.Shape(), a.DType(), items, err)
	// Output: [1000 4] <i4 [9981 9982 9991 9992] <nil>
}

// A server answers with windows of an array that it does not hold in memory.
func Example_server() {
	a := counting(100, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		window, err := b2nd.ParseWindow(r.URL.Query().Get("w"), a.Shape())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		items, err := b2nd.Read[int32](a, window)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, window.Shape(), items)
	}))
	defer server.Close()

	for _, window := range []string{"42,:5", "::50,7", "100"} {
		resp, err := http.Get(server.URL + "?w=" + window)
		if err != nil {
			log.Fatal(err)
		}
		answer, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Print(string(answer))
	}
	// Output:
	// [5] [4200 4201 4202 4203 4204]
	// [2] [7 5007]
	// dimension 0: blosc2: item 100: must be -100 to 99
}

// A ranger reads a file over HTTP, a range at a time.
type ranger struct {
	url   string
	reads int
}

func (r *ranger) ReadAt(p []byte, off int64) (int, error) {
	req, err := http.NewRequest("GET", r.url, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Range", "bytes="+strconv.FormatInt(off, 10)+"-"+strconv.FormatInt(off+int64(len(p))-1, 10))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	r.reads++
	n, err := io.ReadFull(resp.Body, p)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

// A window of an array on a web server is read. Only the blocks that hold it are
// fetched.
func Example_httpRanges() {
	dir, err := os.MkdirTemp("", "b2nd")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file, err := os.Create(filepath.Join(dir, "a.b2nd"))
	if err != nil {
		log.Fatal(err)
	}
	if err := write(file, 2000, 500); err != nil {
		log.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	file.Close()
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()

	src := &ranger{url: server.URL + "/a.b2nd"}
	a, err := b2nd.Open(src, info.Size())
	if err != nil {
		log.Fatal(err)
	}
	src.reads = 0
	item, err := b2nd.At[int32](a, 1234, 56)
	fmt.Println(item, err, "reads:", src.reads)
	// Output: 617056 <nil> reads: 2
}

// An array of a terabyte of zeros is created, and a few items are then set.
func ExampleZeros() {
	dir, err := os.MkdirTemp("", "b2nd")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "big.b2nd")
	file, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	spec := b2nd.Spec{Shape: []int64{1 << 20, 1 << 17}, DType: "<f8"}
	if err := b2nd.Zeros(file, spec); err != nil {
		log.Fatal(err)
	}
	file.Close()

	e, err := b2nd.EditFile(path)
	if err != nil {
		log.Fatal(err)
	}
	one := []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f} // 1.0
	if err := e.SetSlice(one, []int64{1000000, 99999}, []int64{1000001, 100000}); err != nil {
		log.Fatal(err)
	}
	if err := e.Commit(); err != nil {
		log.Fatal(err)
	}
	e.Close()

	a, err := b2nd.OpenFile(path)
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	v, err := b2nd.At[float64](a, 1000000, 99999)
	fmt.Println(v, err)
	// Output: 1 <nil>
}

// The mean of an array of any size is computed with one chunk in memory.
func ExampleArray_Chunks() {
	a := counting(1000, 300)
	sum, n := 0.0, 0
	for c, err := range a.Chunks(nil) {
		if err != nil {
			log.Fatal(err)
		}
		for b := c.Items; len(b) > 0; b = b[4:] {
			sum += float64(binary.LittleEndian.Uint32(b))
			n++
		}
	}
	fmt.Println(sum/float64(n), "of", n)
	// Output: 149999.5 of 300000
}

// Items may be structures. Their fields can be read one by one.
func ExampleReadField() {
	var file bytes.Buffer
	w, err := b2nd.NewWriter(&file, b2nd.Spec{Shape: []int64{b2nd.Unknown}, DType: "[('time', '<M8[s]'), ('celsius', '<f4')]"})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 3 {
		binary.Write(w, binary.LittleEndian, struct {
			Time    int64
			Celsius float32
		}{1_700_000_000 + int64(i), 20.5 + float32(i)})
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	a, err := b2nd.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range a.DType().Fields {
		fmt.Println(f.Name, f.Type, "at", f.Offset)
	}
	celsius, err := b2nd.ReadField[float32](a, "celsius", nil)
	fmt.Println(celsius, err)
	// Output:
	// time <M8[s] at 0
	// celsius <f4 at 8
	// [20.5 21.5 22.5] <nil>
}

// A matrix makes an array of float64 usable as the Matrix of a library for linear
// algebra, such as gonum's mat, without a copy in memory.
type matrix struct{ a *b2nd.Array }

func (m matrix) Dims() (rows, cols int) {
	return int(m.a.Shape()[0]), int(m.a.Shape()[1])
}

func (m matrix) At(i, j int) float64 {
	v, err := b2nd.At[float64](m.a, int64(i), int64(j))
	if err != nil {
		panic(err) // a Matrix panics on an index out of range
	}
	return v
}

// An array is used as a matrix.
func ExampleAt() {
	var file bytes.Buffer
	w, err := b2nd.NewWriter(&file, b2nd.Spec{Shape: []int64{2, 2}, DType: "<f8"})
	if err != nil {
		log.Fatal(err)
	}
	binary.Write(w, binary.LittleEndian, []float64{1, 2, 3, 4})
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	a, err := b2nd.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	m := matrix{a}
	rows, cols := m.Dims()
	fmt.Println(rows, cols, m.At(1, 0))
	// Output: 2 2 3
}
