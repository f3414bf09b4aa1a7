package remote_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/stream"
)

// benchArray returns the frame of an array of 1 GiB: 16384 x 16384 float32 of a
// smooth surface with some noise, in chunks of 512 x 512 (1 MiB) and blocks of 64 x
// 512 (128 KiB).
var benchArray = sync.OnceValue(func() []byte {
	const side = 16384
	var buf bytes.Buffer
	spec := b2nd.Spec{Shape: []int64{side, side}, DType: "<f4", ChunkShape: []int64{512, 512}, BlockShape: []int64{64, 512}}
	w, err := b2nd.NewWriter(&buf, spec, stream.Spool(4<<30), stream.Codec(blosc2.CodecZstd), stream.Level(1))
	if err != nil {
		panic(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	row := make([]byte, 4*side)
	for y := range side {
		for x := range side {
			v := float32(math.Round(1000*math.Sin(float64(x)/900)*math.Cos(float64(y)/700)) + float64(rnd.IntN(16)))
			binary.LittleEndian.PutUint32(row[4*x:], math.Float32bits(v))
		}
		if _, err := w.Write(row); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return buf.Bytes()
})

var latencies = []time.Duration{0, 20 * time.Millisecond, 100 * time.Millisecond}

// benchServer serves benchArray, with a latency before each answer.
func benchServer(b *testing.B, latency time.Duration) (url string, client *http.Client) {
	s := serve(b, benchArray(), func(int, http.ResponseWriter, *http.Request) bool {
		time.Sleep(latency)
		return false
	})
	s.Client().Transport.(*http.Transport).MaxIdleConnsPerHost = 64
	return s.URL + "/array.b2nd", s.Client()
}

// each runs a read of a newly opened array, at every latency, and reports its cost.
func each(b *testing.B, read func(a *b2nd.Array) error, opts ...remote.Option) {
	for _, latency := range latencies {
		b.Run(fmt.Sprint(latency), func(b *testing.B) {
			url, client := benchServer(b, latency)
			eachOf(b, url, client, read, nil, opts...)
		})
	}
}

// eachOf opens the array at a URL for each run, calls read, and reports the cost.
func eachOf(b *testing.B, url string, client *http.Client, read func(a *b2nd.Array) error, array []b2nd.Option, opts ...remote.Option) {
	var before, after remote.Stats
	for b.Loop() {
		b.StopTimer()
		o, err := remote.Open(context.Background(), url, append(opts, remote.Client(client))...)
		if err != nil {
			b.Fatal(err)
		}
		a, err := b2nd.Open(o, o.Size(), array...)
		if err != nil {
			b.Fatal(err)
		}
		before = o.Stats()
		b.StartTimer()
		if err := read(a); err != nil {
			b.Fatal(err)
		}
		after = o.Stats()
		o.Close()
	}
	report(b, after.Requests-before.Requests, after.Bytes-before.Bytes)
}

func report(b *testing.B, requests, bytes int64) {
	b.ReportMetric(float64(requests), "requests")
	b.ReportMetric(float64(bytes)/1024, "KiB")
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/op")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkRemoteOpen opens an array of 1 GiB and reads its metadata.
func BenchmarkRemoteOpen(b *testing.B) {
	for _, latency := range latencies {
		b.Run(fmt.Sprint(latency), func(b *testing.B) {
			url, client := benchServer(b, latency)
			var stats remote.Stats
			for b.Loop() {
				o, err := remote.Open(context.Background(), url, remote.Client(client))
				if err != nil {
					b.Fatal(err)
				}
				a, err := b2nd.Open(o, o.Size())
				if err == nil {
					_, err = a.Frame().VLMetalayers()
				}
				if err != nil {
					b.Fatal(err)
				}
				stats = o.Stats()
				o.Close()
			}
			report(b, stats.Requests, stats.Bytes)
		})
	}
}

func BenchmarkRemoteItem(b *testing.B) { each(b, item) }

// BenchmarkRemoteItemWhole is like BenchmarkRemoteItem, but reads the chunk with one
// request.
func BenchmarkRemoteItemWhole(b *testing.B) {
	for _, latency := range latencies {
		b.Run(fmt.Sprint(latency), func(b *testing.B) {
			url, client := benchServer(b, latency)
			eachOf(b, url, client, item, []b2nd.Option{b2nd.FrameOptions(frame.CheckWhole())})
		})
	}
}

func item(a *b2nd.Array) error {
	_, err := b2nd.At[float32](a, 5000, 7000)
	return err
}

// BenchmarkRemoteWindow reads a window that takes one block of each of 100 chunks.
func BenchmarkRemoteWindow(b *testing.B) { benchWindow(b) }

// BenchmarkRemoteWindowStore is BenchmarkRemoteWindow with one range per request,
// which is all that stores answer.
func BenchmarkRemoteWindowStore(b *testing.B) { benchWindow(b, remote.RangesPerRequest(1)) }

func benchWindow(b *testing.B, opts ...remote.Option) {
	each(b, func(a *b2nd.Array) error {
		w := b2nd.Window{{Start: 100, Stop: 100 + 10*512, Step: 512}, {Start: 10, Stop: 10 + 10*512, Step: 512}}
		return a.ReadWindow(make([]byte, 400), w)
	}, opts...)
}

// A line limits the bytes per second of all answers together.
type line struct {
	rate int64
	mu   sync.Mutex
	free time.Time
}

// pass waits until about n bytes have passed. It does not wait for less than a
// millisecond, because Sleep is not more exact than that.
func (l *line) pass(n int) {
	l.mu.Lock()
	if now := time.Now(); l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(time.Duration(int64(n) * int64(time.Second) / l.rate))
	until := l.free
	l.mu.Unlock()
	if wait := time.Until(until); wait > time.Millisecond {
		time.Sleep(wait)
	}
}

// A lineWriter writes an answer at the speed of a line.
type lineWriter struct {
	http.ResponseWriter
	line *line
}

func (w lineWriter) Write(p []byte) (n int, err error) {
	for len(p) > 0 && err == nil {
		k := min(len(p), 64<<10)
		w.line.pass(k)
		k, err = w.ResponseWriter.Write(p[:k])
		n += k
		p = p[k:]
	}
	return n, err
}

// BenchmarkRemoteCost reads windows over 100 chunks, in groups of ten or scattered,
// on a line of 1 Gbit/s: with requests for several ranges, and with separate ones
// at several settings of RequestCost.
func BenchmarkRemoteCost(b *testing.B) {
	const several = -2
	windows := map[string]b2nd.Window{
		"tens":      {{Start: 100, Stop: 100 + 10*512, Step: 512}, {Start: 10, Stop: 10 + 10*512, Step: 512}},
		"scattered": {{Start: 100, Stop: 100 + 10*1536, Step: 1536}, {Start: 10, Stop: 10 + 10*1536, Step: 1536}},
	}
	for _, name := range []string{"tens", "scattered"} {
		for _, latency := range latencies {
			l := &line{rate: 125e6}
			var s *server
			s = serve(b, benchArray(), func(_ int, w http.ResponseWriter, r *http.Request) bool {
				time.Sleep(latency)
				http.ServeContent(lineWriter{w, l}, r, "object", time.Time{}, bytes.NewReader(s.data))
				return true
			})
			s.Client().Transport.(*http.Transport).MaxIdleConnsPerHost = 64
			for _, cost := range []int64{several, -1, 0, 256 << 10, 1 << 20} {
				what, opts := fmt.Sprintf("%dKiB", cost>>10), []remote.Option{remote.RequestCost(cost), remote.RangesPerRequest(1)}
				switch cost {
				case several:
					what, opts = "several", nil
				case -1:
					what = "measured"
				}
				b.Run(fmt.Sprintf("%s/%v/%s", name, latency, what), func(b *testing.B) {
					eachOf(b, s.URL+"/array.b2nd", s.Client(), func(a *b2nd.Array) error {
						return a.ReadWindow(make([]byte, 400), windows[name])
					}, nil, opts...)
				})
			}
		}
	}
}

// written returns n bytes of memory that has been written to, because the system makes
// its pages at the first write, which takes as long as a download.
func written(n int) []byte {
	p := make([]byte, n)
	for i := 0; i < n; i += 4096 {
		p[i] = 1
	}
	return p
}

func BenchmarkRemoteWhole(b *testing.B) {
	dst := written(1 << 30)
	each(b, func(a *b2nd.Array) error {
		return a.ReadWindow(dst, b2nd.All(a.Shape()))
	})
}

// BenchmarkRemoteStream reads the frame front to back.
func BenchmarkRemoteStream(b *testing.B) {
	for _, latency := range latencies {
		b.Run(fmt.Sprint(latency), func(b *testing.B) {
			url, client := benchServer(b, latency)
			var stats remote.Stats
			for b.Loop() {
				o, err := remote.Open(context.Background(), url, remote.Client(client))
				if err != nil {
					b.Fatal(err)
				}
				r, err := stream.NewReader(o)
				if err != nil {
					b.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, r); err != nil || n != 1<<30 {
					b.Fatal(n, err)
				}
				r.Close()
				stats = o.Stats()
				o.Close()
			}
			report(b, stats.Requests, stats.Bytes)
		})
	}
}

// BenchmarkPlainDownload downloads the object with one request and then decompresses
// it, for comparison with BenchmarkRemoteWhole.
func BenchmarkPlainDownload(b *testing.B) {
	dst, file := written(1<<30), written(len(benchArray()))
	for _, latency := range latencies {
		for _, decompress := range []bool{false, true} {
			b.Run(fmt.Sprintf("%v/decompress=%v", latency, decompress), func(b *testing.B) {
				url, client := benchServer(b, latency)
				for b.Loop() {
					resp, err := client.Get(url)
					if err != nil {
						b.Fatal(err)
					}
					_, err = io.ReadFull(resp.Body, file)
					resp.Body.Close()
					if err != nil {
						b.Fatal(err)
					}
					if !decompress {
						continue
					}
					a, err := b2nd.Open(bytes.NewReader(file), int64(len(file)))
					if err == nil {
						err = a.ReadWindow(dst, b2nd.All(a.Shape()))
					}
					if err != nil {
						b.Fatal(err)
					}
				}
				report(b, 1, int64(len(file)))
			})
		}
	}
}

// tomoArray has the geometry of the array for which python-blosc2 has published the
// cost of slices: 10 chunks of 1.4 MB, compressed, with 47 blocks each, of 15 kB at
// the edges and 20 kB in the middle.
var tomoArray = sync.OnceValue(func() []byte {
	var buf bytes.Buffer
	spec := b2nd.Spec{Shape: []int64{10, 47, 10240}, DType: "<f4", ChunkShape: []int64{1, 47, 10240}, BlockShape: []int64{1, 1, 10240}}
	w, err := b2nd.NewWriter(&buf, spec)
	if err != nil {
		panic(err)
	}
	data := noise(10 * 47 * 10240 * 4)
	for i := 3; i < len(data); i += 4 {
		data[i] = 0 // every fourth byte is 0, so that the data compress by a quarter
	}
	for c := range 10 {
		for block, kept := range map[int]int{0: 5040, 23: 6600} { // kept is a number of items
			clear(data[((47*c+block)*10240+kept)*4 : (47*c+block+1)*10240*4])
		}
	}
	if _, err := w.Write(data); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return buf.Bytes()
})

// tomoSlices are a corner of two chunks of tomoArray, a point in the middle of one
// chunk, and a line through the middle of all chunks. several and single count the
// requests for opening and reading with a first request of 4 KiB: several from a server
// that answers requests for several ranges, single from a store. bytes is what
// python-blosc2 reads, including opening. alone is what it reads without opening, in
// MB.
var tomoSlices = []struct {
	name            string
	start, stop     []int64
	several, single int64
	bytes           int64
	alone           float64
	items           int
}{
	{"corner", []int64{0, 0, 0}, []int64{2, 1, 100}, 3, 4, 39_306, 0.03, 200},
	{"point", []int64{5, 23, 5000}, []int64{6, 24, 5001}, 4, 4, 28_306, 0.02, 1},
	{"ten chunks", []int64{0, 23, 5000}, []int64{10, 24, 5001}, 4, 21, 208_306, 0.20, 10},
}

// Slices take no more requests and bytes than in python-blosc2, whose published figures
// exclude opening and are in MB with two decimals. With a first request as short as
// that of python-blosc2, they take fewer bytes even with opening.
func TestTomo(t *testing.T) {
	s := serve(t, tomoArray(), nil)
	for _, slice := range tomoSlices {
		for per, most := range map[int]int64{remote.DefaultRanges: slice.several, 1: slice.single} {
			for _, first := range []int64{4 << 10, remote.DefaultFirst} {
				o, err := s.open(t, remote.RangesPerRequest(per), remote.First(first))
				if err != nil {
					t.Fatal(err)
				}
				a, err := b2nd.Open(o, o.Size())
				if err != nil {
					t.Fatal(err)
				}
				opened := o.Stats()
				if err := a.ReadSlice(make([]byte, 4*slice.items), slice.start, slice.stop); err != nil {
					t.Fatal(err)
				}
				all := o.Stats()
				alone := math.Round(float64(all.Bytes-opened.Bytes)/1e4) / 100
				if opened.Requests > 2 || all.Requests > most || per == 1 && (alone > slice.alone || first < remote.DefaultFirst && all.Bytes >= slice.bytes) {
					t.Errorf("%s, %d ranges in a request, %d bytes first: %+v, opening %+v, want %d requests and less than %d bytes", slice.name, per, first, all, opened, most, slice.bytes)
				}
			}
		}
	}
}

// BenchmarkRemoteTomo opens tomoArray and reads a corner of two chunks, a point in the
// middle of one, or a line through the middle of all, with first requests of 4 and of
// 64 KiB. There are metrics for opening and reading together, and for reading alone.
func BenchmarkRemoteTomo(b *testing.B) {
	for _, slice := range tomoSlices {
		for _, per := range []int{remote.DefaultRanges, 1} {
			for _, first := range []int64{4 << 10, remote.DefaultFirst} {
				b.Run(fmt.Sprintf("%s/%d/%dKiB", slice.name, per, first>>10), func(b *testing.B) {
					s := serve(b, tomoArray(), nil)
					var opened, stats remote.Stats
					for b.Loop() {
						o, err := remote.Open(context.Background(), s.URL+"/tomo.b2nd", remote.Client(s.Client()), remote.RangesPerRequest(per), remote.First(first))
						if err != nil {
							b.Fatal(err)
						}
						a, err := b2nd.Open(o, o.Size())
						opened = o.Stats()
						if err == nil {
							err = a.ReadSlice(make([]byte, 4*slice.items), slice.start, slice.stop)
						}
						if err != nil {
							b.Fatal(err)
						}
						stats = o.Stats()
						o.Close()
					}
					report(b, stats.Requests, stats.Bytes)
					b.ReportMetric(float64(stats.Requests-opened.Requests), "requests-slice")
					b.ReportMetric(float64(stats.Bytes-opened.Bytes)/1024, "KiB-slice")
				})
			}
		}
	}
}
