package tune

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// benchData returns measurements and data made by formula, by name.
func benchData(b *testing.B) map[string][]byte {
	all := parts()
	for _, d := range real {
		data := b2test.Real(b, d.name)
		all[d.name] = data[:min(len(data), 3<<19)]
	}
	return all
}

// BenchmarkPicks reports how good the picks for each aim are, by the table of costs:
// the geometric mean over some data of the nanoseconds to compress a byte, to move it
// twice and to decompress it ("ns/B"; for Archive the bytes that remain, "B/B"), and
// what a search takes ("search-ms"). The figures are the same in each run and on each
// machine, so one run suffices to see the effect of changing a constant:
//
//	go test -run '^$' -bench 'Picks|Drift' -benchtime 1x ./tune
func BenchmarkPicks(b *testing.B) {
	all := benchData(b)
	delete(all, "zeros") // for zeros nothing is searched
	for _, aim := range []Aim{Balanced, Memory, Disk, Network, WAN, Archive} {
		b.Run(aim.String(), func(b *testing.B) {
			sum, search := 0.0, 0.0
			for b.Loop() {
				sum, search = 0, 0
				for _, data := range all {
					pick, err := Search{Aim: aim, Params: chunk.Default(), Records: true}.Pick(data[:min(len(data), 1<<20)])
					if err != nil {
						b.Fatal(err)
					}
					of := float64(reckonedFor(b, data, pick.Params, aim)) / float64(len(data))
					sum += math.Log(of)
					search += float64(pick.search)
				}
			}
			unit := "ns/B"
			if aim == Archive {
				unit = "B/B"
			}
			n := float64(len(all))
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(math.Exp(sum/n), unit)
			b.ReportMetric(search/n/1e6/cost.Unit, "search-ms")
		})
	}
}

// reckonedFor returns the estimated nanoseconds of data with p for an aim, or the
// bytes for Archive.
func reckonedFor(b *testing.B, data []byte, p chunk.Params, aim Aim) float64 {
	switch aim {
	case Archive:
		e, err := chunk.NewEncoder(p)
		if err != nil {
			b.Fatal(err)
		}
		c, err := e.Encode(nil, data)
		if err != nil {
			b.Fatal(err)
		}
		return float64(len(c))
	case Balanced:
		aim = Network
	}
	return float64(reckoned(b, data, p, aim)) / cost.Unit
}

// BenchmarkDrift reports, for streams of data that change every one or two MiB, in chunks
// of 512 KiB, the nanoseconds per byte as BenchmarkPicks does, without looks and searches
// ("ns/B"), and the time of looks and searches in percent of the time of compressing
// ("search-%").
func BenchmarkDrift(b *testing.B) {
	all := benchData(b)
	names := []string{"zeros", "walk", "few", "times", "noise", "record", "text", "bytes"}
	for _, d := range real {
		names = append(names, d.name)
	}
	for _, aim := range []Aim{Memory, Disk, Network, WAN} {
		b.Run(aim.String(), func(b *testing.B) {
			var total, bytes, spent, worked float64
			for b.Loop() {
				r := rand.New(rand.NewPCG(3, 9))
				total, bytes, spent, worked = 0, 0, 0, 0
				for range 2 {
					s := NewStream(Search{Aim: aim, Params: chunk.Default()})
					for range 64 {
						data := all[names[r.IntN(len(names))]]
						data = data[:min(len(data), (1+r.IntN(2))<<19)]
						for range 2 {
							p, err := s.Next(data)
							if err != nil {
								b.Fatal(err)
							}
							if s.Decided() {
								s.KeepTypeSize()
							}
							total += reckonedFor(b, data, p, aim)
							bytes += float64(len(data))
						}
					}
					spent += float64(s.spent + s.looks)
					worked += float64(s.worked)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(total/bytes, "ns/B")
			b.ReportMetric(100*spent/worked, "search-%")
		})
	}
}

// BenchmarkColumns compares the layouts of a table as package b2nd does.
func BenchmarkColumns(b *testing.B) {
	rows := table(1<<16/64, 7, 1, 300)
	columns := transposed(rows, 8, 8)
	p := chunk.Default()
	p.TypeSize = 8
	for b.Loop() {
		if ok, err := (Search{Aim: Balanced, Params: p}).Columns(rows, 8, func() []byte { return columns }); err != nil || !ok {
			b.Fatal(ok, err)
		}
	}
}
