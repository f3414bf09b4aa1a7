package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing/iotest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// Bytes of 4-byte items are sent through a pipe, with compression chosen for the
// data and a network.
func Example() {
	pr, pw := io.Pipe()
	go func() {
		w, err := stream.NewWriter(pw, stream.ItemSize(4), stream.Auto(tune.Network))
		if err == nil {
			_, err = w.Write(bytes.Repeat([]byte{1, 2, 3, 4}, 1000))
		}
		if err == nil {
			err = w.Close()
		}
		pw.CloseWithError(err)
	}()
	r, err := stream.NewReader(pr)
	if err != nil {
		log.Fatal(err)
	}
	n, err := io.Copy(io.Discard, r)
	fmt.Println(n, err)
	// Output: 4000 <nil>
}

// A sealed frame, which C-Blosc2 reads too, is written to a file.
func ExampleWriter_file() {
	name := filepath.Join(os.TempDir(), "blosc2-example.b2frame")
	defer os.Remove(name)
	f, err := os.Create(name)
	if err != nil {
		log.Fatal(err)
	}
	w, err := stream.NewWriter(f, stream.Metalayer("station", []byte("Potsdam")))
	if err != nil {
		log.Fatal(err)
	}
	io.CopyN(w, zeros{}, 10<<20)
	w.SetVLMeta("note", []byte("nothing but zeros"))
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Sealed(), w.Stats().Ratio() > 1000)

	f.Seek(0, io.SeekStart)
	r, err := stream.NewReader(f)
	if err != nil {
		log.Fatal(err)
	}
	station, _ := r.Metalayer("station")
	n, err := r.WriteTo(io.Discard)
	fmt.Printf("%s %d %v\n", station, n, err)
	f.Close()
	// Output:
	// true true
	// Potsdam 10485760 <nil>
}

// A failed copy is not mistaken for a complete one: the Writer keeps the error of
// the source, and the deferred Close leaves the frame unfinished.
func ExampleCopy() {
	var out bytes.Buffer
	save := func(src io.Reader) error {
		w, err := stream.NewWriter(&out)
		if err != nil {
			return err
		}
		defer w.Close()
		if _, err := stream.Copy(w, src); err != nil {
			return err
		}
		return w.Close()
	}
	lost := iotest.ErrReader(errors.New("connection lost"))
	fmt.Println(save(io.MultiReader(strings.NewReader("the beginning"), lost)))

	r, err := stream.NewReader(&out)
	if err != nil {
		log.Fatal(err)
	}
	text, err := io.ReadAll(r)
	fmt.Printf("%q, unfinished: %v\n", text, errors.Is(err, io.ErrUnexpectedEOF))
	// Output:
	// connection lost
	// "the beginning", unfinished: true
}

// Bytes after the last frame are an error unless allowed.
func ExampleAllowTrailing() {
	var file bytes.Buffer
	w, err := stream.NewWriter(&file)
	if err != nil {
		log.Fatal(err)
	}
	io.WriteString(w, "data")
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	file.WriteString("signature")

	r, err := stream.NewReader(bytes.NewReader(file.Bytes()))
	if err != nil {
		log.Fatal(err)
	}
	data, err := io.ReadAll(r)
	fmt.Printf("%s, %v\n", data, errors.Is(err, blosc2.ErrTrailing))

	r, err = stream.NewReader(bytes.NewReader(file.Bytes()), stream.AllowTrailing())
	if err != nil {
		log.Fatal(err)
	}
	data, err = io.ReadAll(r)
	fmt.Printf("%s, %v\n", data, err)
	rest, err := io.ReadAll(r.Trailing())
	fmt.Printf("%s, %v\n", rest, err)
	// Output:
	// data, true
	// data, <nil>
	// signature, <nil>
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Slices of numbers are written and read; the frame records their type.
func ExampleWriteSlice() {
	var buf bytes.Buffer
	w, err := stream.NewWriter(&buf)
	if err != nil {
		log.Fatal(err)
	}
	wave := make([]float64, 1000)
	for i := range wave {
		wave[i] = math.Round(100 * math.Sin(float64(i)/50))
	}
	stream.WriteSlice(w, wave)
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := stream.NewReader(&buf)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	got := make([]float64, 1000)
	n, err := stream.ReadSlice(r, got)
	fmt.Println(n, err, got[999] == wave[999])
	_, err = stream.ReadSlice(r, make([]int32, 1))
	fmt.Println(err)
	// Output:
	// 1000 <nil> true
	// blosc2: item type int32 (<i4): must be <f8, the frame's type
}

// A request and an answer are sent over a connection.
func ExampleConn() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		conn, err := stream.NewConn(c, stream.Items[int32]())
		if err != nil {
			log.Fatal(err)
		}
		defer conn.Close()
		request := make([]int32, 3)
		stream.ReadSlice(conn, request)
		stream.WriteSlice(conn, []int32{request[0] + request[1] + request[2]})
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	conn, err := stream.NewConn(c, stream.Items[int32]())
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	stream.WriteSlice(conn, []int32{20, 21, 1})
	answer := make([]int32, 1)
	_, err = stream.ReadSlice(conn, answer)
	fmt.Println(answer, err)
	// Output: [42] <nil>
}

// A logger continues its file at each start, in whatever state the last process
// left it, and begins a new file when the old one is large enough.
func ExampleAppendFile() {
	dir, err := os.MkdirTemp("", "log")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sensor.b2frame")

	start := func() *stream.FileWriter {
		w, err := stream.AppendFile(path, stream.TypeSize(8))
		if err != nil {
			log.Fatal(err)
		}
		return w
	}
	w := start()
	for i := range 3000 {
		if _, err := stream.WriteSlice(w, []int64{int64(i), int64(i * i)}); err != nil {
			log.Fatal(err)
		}
		if err := w.Flush(); err != nil { // survives the death of the process
			log.Fatal(err)
		}
		if i%1000 != 999 {
			continue
		}
		if err := w.Checkpoint(); err != nil { // survives that of the machine
			log.Fatal(err)
		}
		if w.Offset() < 30_000 { // Offset includes the bytes that the file held at the start
			continue
		}
		if err := w.Close(); err != nil {
			log.Fatal(err)
		}
		if err := os.Rename(path, filepath.Join(dir, fmt.Sprintf("sensor-%d.b2frame", i))); err != nil {
			log.Fatal(err)
		}
		w = start()
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.b2frame"))
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range names {
		r, err := stream.OpenFile(name)
		if err != nil {
			log.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r)
		if err != nil {
			log.Fatal(err)
		}
		r.Close()
		fmt.Println(filepath.Base(name), n)
	}
	// Output:
	// sensor-1999.b2frame 32000
	// sensor.b2frame 16000
}
