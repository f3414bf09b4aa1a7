package cookbooktest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing/iotest"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// Compress into a pipe. A frame of up to 4 MiB is sent when it is complete; a
// longer one remains unsealed, and this library reads it as it arrives.
func Example_pipe() {
	pr, pw := io.Pipe()
	go func() {
		w, err := stream.NewWriter(pw, stream.TypeSize(4))
		if err == nil {
			_, err = w.Write(make([]byte, 1_000_000))
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
	defer r.Close()
	n, err := io.Copy(io.Discard, r)
	fmt.Println(n, err)
	// Output: 1000000 <nil>
}

// Make a frame that came through a pipe readable for C-Blosc2. Sealing writes the
// sizes to the header. (A frame that was flushed into a pipe has chunks of several
// sizes; frame.CompactFile rewrites them with one size, which older versions of C-Blosc2
// need.)
func Example_seal() {
	var received bytes.Buffer
	w, err := stream.NewWriter(struct{ io.Writer }{&received}, stream.TypeSize(4))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil)
	noise := make([]byte, 6<<20)
	for i := range noise {
		noise[i] = byte(i * i >> 7)
	}
	if _, err := w.Write(noise); err != nil {
		log.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("received.b2frame", received.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
	if err := frame.SealFile("received.b2frame"); err != nil {
		log.Fatal(err)
	}
	f, err := frame.OpenFile("received.b2frame", frame.SealedOnly())
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(w.Sealed(), f.Size())
	// Output: false 6291456
}

// Exchange requests and answers over a connection. Each Write is sent at once;
// Delay and Buffered batch small ones.
func Example_connection() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	done := make(chan error)
	go func() {
		c, err := l.Accept()
		if err != nil {
			done <- err
			return
		}
		conn, err := stream.NewConn(c, stream.Items[int32]())
		if err != nil {
			done <- err
			return
		}
		question := make([]int32, 3)
		if _, err = stream.ReadSlice(conn, question); err == nil {
			_, err = stream.WriteSlice(conn, []int32{question[0] + question[1] + question[2]})
		}
		done <- errors.Join(err, conn.Close())
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
	if _, err := stream.WriteSlice(conn, []int32{20, 21, 1}); err != nil {
		log.Fatal(err)
	}
	answer := make([]int32, 1)
	if _, err := stream.ReadSlice(conn, answer); err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer, <-done)
	// Output: [42] <nil>
}

// Send a file over a link of known speed. With Auto the settings are those with which the
// data arrive soonest: here at 2.5 MB/s, 20 Mbit/s.
func Example_link() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			log.Fatal(err)
		}
		defer c.Close()
		f, err := os.Open("numbers.f4")
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		w, err := stream.NewWriter(c, stream.ItemSize(4), stream.Auto(tune.Link(2.5e6)))
		if err != nil {
			log.Fatal(err)
		}
		defer w.Abort(nil)
		if _, err := stream.Copy(w, f); err != nil {
			log.Fatal(err)
		}
		if err := w.Close(); err != nil { // ends the frame, but not the connection
			log.Fatal(err)
		}
	}()
	c, err := l.Accept()
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	r, err := stream.NewReader(c)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	n, err := io.Copy(io.Discard, r)
	fmt.Println(n, err)
	// Output: 200000 <nil>
}

// Send numbers from an HTTP handler. Flush sends all data so far to the client.
func Example_http() {
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		w, err := stream.NewWriter(rw, stream.Items[int64]())
		if err != nil {
			http.Error(rw, err.Error(), http.StatusInternalServerError)
			return
		}
		defer w.Abort(nil) // the client notices that the data end early
		for i := range int64(3) {
			if _, err := stream.WriteSlice(w, []int64{i, i * i}); err != nil {
				return
			}
			if err := w.Flush(); err != nil {
				return
			}
		}
		w.Close()
	}))
	defer server.Close()

	resp, err := server.Client().Get(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	r, err := stream.NewReader(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	numbers := make([]int64, 10)
	n, err := stream.ReadSlice(r, numbers)
	fmt.Println(numbers[:n], err)
	// Output: [0 0 1 1 2 4] <nil>
}

// Do not mistake a failed copy for a complete one. stream.Copy passes the error of
// the source to the Writer, so Close fails too and leaves the frame unfinished.
// io.Copy hides the error if the source has a WriteTo method, as a zstd.Decoder has.
// After other ways to write, call CloseWithError.
func Example_failedCopy() {
	lost := iotest.ErrReader(errors.New("connection lost"))
	var out bytes.Buffer
	w, err := stream.NewWriter(&out)
	if err != nil {
		log.Fatal(err)
	}
	_, err = stream.Copy(w, io.MultiReader(strings.NewReader("the beginning"), lost))
	fmt.Println("copy:", err)
	fmt.Println("close:", w.Close())

	r, err := stream.NewReader(&out)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	fmt.Printf("%q, unfinished: %v\n", text, errors.Is(err, io.ErrUnexpectedEOF))
	// Output:
	// copy: connection lost
	// close: connection lost
	// "the beginning", unfinished: true
}

// Stop after a time. The error is the cause of the context.
func Example_cancel() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	w, err := stream.NewWriter(io.Discard, stream.Context(ctx))
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort(nil)
	for err == nil {
		_, err = w.Write(make([]byte, 1<<20))
	}
	fmt.Println(err)
	// Output: context deadline exceeded
}

// Read untrusted data. Limits bound memory and output; errors say what is wrong and
// where, and nothing panics.
func Example_limits() {
	bomb, err := stream.Compress(nil, make([]byte, 10<<20))
	if err != nil {
		log.Fatal(err)
	}
	_, err = stream.Decompress(nil, bomb, stream.Limits(frame.Limits{Total: 1 << 20}))
	fmt.Println(errors.Is(err, blosc2.ErrTooLarge))

	bomb[200] ^= 1
	_, err = stream.Decompress(nil, bomb)
	var where *blosc2.FormatError
	fmt.Println(errors.Is(err, blosc2.ErrChecksum), errors.As(err, &where))
	// Output:
	// true
	// true true
}
