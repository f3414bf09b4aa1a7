package stream_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/stream"
)

// A hiding is a ResponseWriter, as of middleware, that has Unwrap but no Flush.
type hiding struct{ inner http.ResponseWriter }

func (h hiding) Header() http.Header         { return h.inner.Header() }
func (h hiding) Write(p []byte) (int, error) { return h.inner.Write(p) }
func (h hiding) WriteHeader(status int)      { h.inner.WriteHeader(status) }
func (h hiding) Unwrap() http.ResponseWriter { return h.inner }

// A client receives each record after the handler's Flush, before the next record exists:
// the handler makes a record only after the client has acknowledged the last one.
func TestHTTP(t *testing.T) {
	defer goleak.VerifyNone(t)
	const records = 20
	for _, middleware := range []bool{false, true} {
		for _, workers := range []int{1, 2} {
			seen := make(chan int)
			handler := func(rw http.ResponseWriter, req *http.Request) {
				if middleware {
					rw = hiding{rw}
				}
				w, err := stream.NewWriter(rw, stream.Items[int64](), stream.Context(req.Context()), stream.Workers(workers))
				if err != nil {
					t.Error(err)
					return
				}
				defer w.Abort(nil)
				for i := range records {
					if _, err := stream.WriteSlice(w, []int64{int64(i), int64(i) * 100}); err != nil {
						t.Error(err)
						return
					}
					if err := w.Flush(); err != nil {
						t.Error(err)
						return
					}
					select {
					case n := <-seen:
						if n != i {
							t.Errorf("record %d was seen after %d", n, i)
						}
					case <-req.Context().Done():
						return
					}
				}
				if err := w.Close(); err != nil {
					t.Error(err)
				}
			}
			server := httptest.NewServer(http.HandlerFunc(handler))
			client := server.Client()
			resp, err := client.Get(server.URL)
			must(t, err)
			if len(resp.TransferEncoding) != 1 || resp.TransferEncoding[0] != "chunked" {
				t.Errorf("transfer encoding %v", resp.TransferEncoding)
			}
			r, err := stream.NewReader(resp.Body, stream.Workers(workers))
			must(t, err)
			for i := range records {
				var rec [2]int64
				if n, err := stream.ReadSlice(r, rec[:]); n != 2 || err != nil || rec != [2]int64{int64(i), int64(i) * 100} {
					t.Fatalf("record %d: %v, %v", i, rec, err)
				}
				seen <- i
			}
			if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				t.Errorf("after the last record: %d, %v", n, err)
			}
			must(t, resp.Body.Close())
			client.CloseIdleConnections()
			server.Close()
		}
	}
}

// A handler sends records as they arrive, and the client reads them as they come.
// Flush also flushes the ResponseWriter. If the handler returns early, Abort leaves
// the frame unfinished, and the client reads io.ErrUnexpectedEOF.
func ExampleWriter_httpHandler() {
	measurements := make(chan float64) // for example one every 100 ms
	handler := func(rw http.ResponseWriter, req *http.Request) {
		rw.Header().Set("Content-Type", "application/octet-stream")
		w, err := stream.NewWriter(rw, stream.Items[float64](), stream.Context(req.Context()))
		if err != nil {
			http.Error(rw, err.Error(), http.StatusInternalServerError)
			return
		}
		defer w.Abort(nil) // does nothing after Close
		for m := range measurements {
			if _, err := stream.WriteSlice(w, []float64{m}); err != nil {
				return
			}
			if err := w.Flush(); err != nil {
				return
			}
		}
		if err := w.Close(); err != nil {
			log.Print(err)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(handler))
	defer server.Close()

	go func() {
		for _, m := range []float64{20.5, 20.75, 21} {
			measurements <- m
		}
		close(measurements)
	}()
	resp, err := server.Client().Get(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	r, err := stream.NewReader(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	for m := make([]float64, 1); ; {
		if _, err := stream.ReadSlice(r, m); err == io.EOF {
			break
		} else if err != nil {
			log.Fatal(err)
		}
		fmt.Println(m[0])
	}
	// Output:
	// 20.5
	// 20.75
	// 21
}
