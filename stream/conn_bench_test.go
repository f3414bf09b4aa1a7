package stream_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// BenchmarkConnWrite measures the processor time of sending a message of real
// records. With Delay the messages are those of one batch.
func BenchmarkConnWrite(b *testing.B) {
	data := b2test.Real(b, "nab-records.16")
	for _, size := range []int{64, 320, 3200, 32000} {
		for name, opts := range map[string][]stream.ConnOption{
			"atOnce":  nil,
			"compact": {stream.Compact()},
			"delay":   {stream.Delay(size, time.Hour)},
		} {
			b.Run(fmt.Sprint(name, "/", size), func(b *testing.B) {
				w := new(wire)
				c, err := stream.NewConn(w, append(opts, stream.TypeSize(16))...)
				must(b, err)
				b.ReportAllocs()
				b.SetBytes(int64(size))
				at := 0
				for b.Loop() {
					for p := data[at : at+size]; len(p) > 0; p = p[min(len(p), 64):] {
						n := len(p)
						if name == "delay" {
							n = min(n, 64)
						} else {
							c.Write(p)
							break
						}
						c.Write(p[:n])
					}
					if at += size; at+size > len(data) {
						at = 0
					}
					w.Reset()
				}
			})
		}
	}
}
