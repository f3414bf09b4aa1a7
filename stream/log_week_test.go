package stream_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A weekPoint is the state of a log after some hours.
type weekPoint struct {
	hour                int
	data, file, written int64
}

// This test logs for a week of simulated time: 10 records of 16 bytes a second, with a
// Flush each second and a Checkpoint each minute. The seventh day costs as much as the
// first. BLOSC2_RESULTS names a folder for a table, of which bench -document makes a
// chart.
func TestLogWeek(t *testing.T) {
	days := 7
	if os.Getenv("BLOSC2_FULL") == "" {
		t.Skip("only with BLOSC2_FULL")
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	must(t, err)
	defer file.Close()
	f := &counted{File: file}
	w := newWriter(t, f)
	src := newLogger()
	var all []byte
	points := []weekPoint{{}}
	var daily []int64 // bytes written per compressed byte × 1000
	best, writtenBefore := int64(0), int64(0)
	for s := 1; s <= days*86_400; s++ {
		at := len(all)
		all = src.append(all, 10)
		_, err := w.Write(all[at:])
		must(t, err)
		must(t, w.Flush())
		if s%60 == 0 {
			must(t, w.Checkpoint())
		}
		if s%3600 == 0 {
			points = append(points, weekPoint{s / 3600, int64(len(all)), f.size(t), f.written})
		}
		if s%86_400 == 0 {
			now := compacted(t, all)
			if have := f.size(t); have > now*3/2+2<<20 {
				t.Errorf("day %d: the file has %d bytes, compacted %d", s/86_400, have, now)
			}
			daily = append(daily, 1000*(f.written-writtenBefore)/(now-best))
			best, writtenBefore = now, f.written
		}
	}
	must(t, w.Close())
	have := f.size(t)
	if have > best*11/10+64<<10 {
		t.Errorf("closed, the file has %d bytes, compacted %d", have, best)
	}
	if f.written > 12*best {
		t.Errorf("%d bytes written, compacted %d", f.written, best)
	}
	if first, last := daily[0], daily[len(daily)-1]; last > first*11/10 || last < first*9/10 {
		t.Errorf("a byte costs %d ‰ on the first day, %d ‰ on the last", first, last)
	}
	t.Logf("%d bytes of data: compacted %d, closed %d, written %d; ‰ written per compacted byte and day: %v", len(all), best, have, f.written, daily)
	if folder := os.Getenv("BLOSC2_RESULTS"); folder != "" {
		saveWeek(t, folder, points)
	}
}

// saveWeek writes a table.
func saveWeek(t *testing.T, folder string, points []weekPoint) {
	table, err := os.Create(filepath.Join(folder, "log-week.csv"))
	must(t, err)
	c := csv.NewWriter(table)
	must(t, c.Write([]string{"hour", "data_bytes", "file_bytes", "written_bytes"}))
	for _, p := range points {
		must(t, c.Write([]string{fmt.Sprint(p.hour), fmt.Sprint(p.data), fmt.Sprint(p.file), fmt.Sprint(p.written)}))
	}
	c.Flush()
	must(t, c.Error())
	must(t, table.Close())
}
