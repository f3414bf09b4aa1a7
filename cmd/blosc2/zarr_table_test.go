package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	tables "github.com/seed03b80dae/blosc2/table"
)

const zarrTable = `
import sys, numpy as np, zarr
g = zarr.open_group(sys.argv[1], mode='r')
n = 70001
i = np.arange(n)
assert sorted(g.array_keys()) == ['at', 'ok', 'street', 'tip', 'word', 'x'], sorted(g.array_keys())
assert all(g['street'][:] == np.array(['street ü%d' % k for k in i])), g['street'][:3]
assert g['street'].dtype == np.dtypes.StringDType() or g['street'].dtype.kind in 'OT', g['street'].dtype
assert all(g['word'][:] == np.array(['w%d' % (k % 3) for k in i]))
assert g['x'].dtype == np.dtype('int32') and all(g['x'][:] == -i)
assert np.array_equal(g['tip'][:], np.where(i % 10 == 3, np.nan, i / 2), equal_nan=True)
assert all(g['ok'][:] == (i % 2 == 0))
assert g['at'].dtype == np.dtype('<M8[ms]') and all(g['at'][:] == i.astype('<M8[ms]'))
`

// The columns of a table become arrays of a group, which zarr-python reads. Columns
// without a Zarr type are reported and omitted.
func TestZarrTable(t *testing.T) {
	type row struct {
		X      int32     `blosc2:"x"`
		Street string    `blosc2:"street"`
		Word   string    `blosc2:"word,dictionary"`
		Tip    *float64  `blosc2:"tip"`
		OK     bool      `blosc2:"ok"`
		At     time.Time `blosc2:"at,ms"`
		Count  *int64    `blosc2:"count"`
		List   []int64   `blosc2:"list"`
	}
	specs, err := tables.SpecsOf[row]()
	if err != nil {
		t.Fatal(err)
	}
	b, err := tables.NewBuilder(specs...)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	rows := make([]row, 70001)
	for i := range rows {
		tip, n := float64(i)/2, int64(i)
		rows[i] = row{X: int32(-i), Street: fmt.Sprint("street ü", i), Word: fmt.Sprint("w", i%3), Tip: &tip, OK: i%2 == 0, At: time.UnixMilli(int64(i)), Count: &n, List: []int64{1}}
		if i%10 == 3 {
			rows[i].Tip, rows[i].Count = nil, nil
		}
	}
	if err := tables.AppendRows(b, rows); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "t.b2z"), filepath.Join(dir, "t.zarr")
	if err := b.WriteFile(from); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := printed(t, "zarr", "export", from, to)
	if status != exitDone || !strings.Contains(stderr, "column count left out") || !strings.Contains(stderr, "column list left out") || !strings.Contains(stderr, "6 columns") {
		t.Fatalf("status %d, %s", status, stderr)
	}
	back := filepath.Join(dir, "back.b2z")
	if status, _, stderr := printed(t, "zarr", "import", to, back); status != exitDone {
		t.Fatalf("status %d, %s", status, stderr)
	}
	if status, stdout, stderr := printed(t, "cat", back+":/street", "70000:"); status != exitDone || !strings.Contains(stdout, "street ü70000") {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	b2test.Readers(t).Run(t, zarrTable, to)
}
