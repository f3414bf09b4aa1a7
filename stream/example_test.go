package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"os"
	"path/filepath"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// Bytes of 4-byte items go through a pipe, compressed.
func Example() {
	pr, pw := io.Pipe()
	go func() {
		w, err := stream.NewWriter(pw, stream.TypeSize(4), stream.Codec(blosc2.CodecZstd))
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

// A file gets a sealed frame, which C-Blosc2 reads too.
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

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Slices of numbers go in and come out; the frame says what they are.
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
	// blosc2: item type <i4: must be "<f8", as the frame says
}

// A request and an answer over a connection.
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
