package stream_test

import (
	"bytes"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// onWire sends messages of the given size and rate, and returns the bytes sent over the
// wire. It must be called in a synctest bubble.
func onWire(t *testing.T, data []byte, size, perSecond int, opts ...stream.ConnOption) *wire {
	t.Helper()
	w := new(wire)
	synctest.Test(t, func(t *testing.T) {
		c, err := stream.NewConn(w, opts...)
		must(t, err)
		for i := 0; i+size <= len(data); i += size {
			_, err := c.Write(data[i : i+size])
			must(t, err)
			time.Sleep(time.Second/time.Duration(perSecond) + 7)
		}
		must(t, c.Close())
	})
	r, err := stream.NewReader(bytes.NewReader(w.Bytes()))
	must(t, err)
	got, err := io.ReadAll(r)
	must(t, err)
	if want := data[:len(data)-len(data)%size]; !bytes.Equal(got, want) {
		t.Fatalf("%d bytes came back of %d, or others", len(got), len(want))
	}
	return w
}

// Messages of 64 bytes, collected for 5 ms at 1,000 messages a second, take at most 0.7
// times their size on the wire, for records and on average for all kinds of data. Sent
// one by one they take up to 1.9 times their bytes, and 1.65 with Compact.
func TestWire(t *testing.T) {
	delay := stream.Delay(0, 5*time.Millisecond)
	ways := []struct {
		name string
		rate int
		opts []stream.ConnOption
		most float64 // the largest ratio for records
		all  float64 // the largest ratio for other data
		mean float64 // the largest mean of the ratios
	}{
		{"at once", 1000, nil, 1.9, 1.9, 1.9},
		{"at once, compact", 1000, []stream.ConnOption{stream.Compact()}, 1.65, 1.65, 1.65},
		{"5 ms, 1,000/s", 1000, []stream.ConnOption{delay}, 0.7, 0.8, 0.7},
		{"5 ms, 1,000/s, checks", 1000, []stream.ConnOption{delay, stream.Checks(true)}, 0.75, 0.85, 0.75},
		{"5 ms, 2,000/s", 2000, []stream.ConnOption{delay}, 0.7, 0.7, 0.7},
		{"5 ms, 10,000/s", 10_000, []stream.ConnOption{delay}, 0.7, 0.7, 0.7},
		{"5 ms, 100,000/s", 100_000, []stream.ConnOption{delay}, 0.7, 0.7, 0.7},
	}
	kinds := map[string]int{
		"nab-records.16": 16, "nab-value.f8": 8, "nab-time.i8": 8, "era-wind-u.f8": 8,
		"era-geopotential.f4": 4, "era5-t2m.f4": 4, "era-wind-u.i2": 2,
	}
	sums := make([]float64, len(ways))
	for name, size := range kinds {
		data := b2test.Real(t, name)
		most := 1 << 17
		if name == "nab-records.16" {
			most = 1 << 20
		}
		data = data[:most]
		for i, way := range ways {
			w := onWire(t, data, 64, way.rate, append(way.opts[:len(way.opts):len(way.opts)], stream.TypeSize(size))...)
			ratio := float64(w.Len()) / float64(len(data))
			sums[i] += ratio
			t.Logf("%-20s %-24s %.3f in %d writes", name, way.name, ratio, w.writes.Load())
			limit := way.all
			if name == "nab-records.16" {
				limit = way.most
			}
			if ratio > limit {
				t.Errorf("%s, %s: %.3f times the bytes, at most %.2f", name, way.name, ratio, limit)
			}
		}
	}
	for i, way := range ways {
		mean := sums[i] / float64(len(kinds))
		t.Logf("%-20s %-24s %.3f", "mean", way.name, mean)
		if mean > way.mean {
			t.Errorf("%s: %.3f times the bytes at the mean, at most %.2f", way.name, mean, way.mean)
		}
	}
}
