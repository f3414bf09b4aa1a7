package filter_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filter"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// put is a Python script. It stores our chunks in an HDF5 file unchanged, and prints the
// digest of the bytes that the genuine filter decodes from each, as read by h5py and by
// PyTables. It also stores the same items with the genuine filter.
const put = `
import sys, json, hashlib, tables, h5py, numpy as np # tables registers both filters
jobs, out = json.load(open(sys.argv[1])), []
for i, j in enumerate(jobs):
    name = sys.argv[2] + str(i) + '.h5'
    items = np.fromfile(j['items'], dtype='<i%d' % j['size']).reshape(j['shape'])
    with h5py.File(name, 'w') as f:
        d = f.create_dataset('d', shape=j['shape'], chunks=tuple(j['shape']), dtype=items.dtype, compression=j['filter'], compression_opts=tuple(j['values']))
        d.id.write_direct_chunk((0,) * len(j['shape']), open(j['chunk'], 'rb').read())
        e = f.create_dataset('e', data=items, chunks=tuple(j['shape']), compression=j['filter'], compression_opts=tuple(j['values']))
    with h5py.File(name, 'r') as f:
        digest = hashlib.sha256(f['d'][...].tobytes()).hexdigest()
        mask, chunk = f['e'].id.read_direct_chunk((0,) * len(j['shape']))
        open(j['theirs'], 'wb').write(chunk)
        values = f['e'].id.get_create_plist().get_filter(0)[2]
    with tables.open_file(name) as f:
        digest += hashlib.sha256(f.root.d[...].tobytes()).hexdigest()
    out.append({'digest': digest, 'mask': mask, 'values': list(values)})
print(json.dumps(out))
`

// h5py and PyTables read the chunks that our filters write, and our filters read theirs.
func TestHDF5Reads(t *testing.T) {
	python := b2test.Readers(t)
	dir := t.TempDir()
	type job struct {
		Items, Chunk, Theirs string
		Size                 int
		Shape                []int
		Filter               int
		Values               []uint32
	}
	var jobs []map[string]any
	var all []job
	for _, id := range []int{filter.IDBlosc, filter.IDBlosc2} {
		for i, shape := range [][]int{{5000}, {50, 60}, {7, 11, 13}} {
			for _, s := range []filter.Settings{
				{Codec: blosc2.CodecLZ4, Level: 5, Shuffle: blosc2.FilterShuffle},
				{Codec: blosc2.CodecZstd, Level: 3, Shuffle: blosc2.FilterBitShuffle},
				{Codec: blosc2.CodecBloscLZ, Level: 9, Shuffle: blosc2.FilterNone},
			} {
				size := []int{4, 8, 2}[i]
				valuesOf, encode := filter.BloscValues, filter.EncodeBlosc
				if id == filter.IDBlosc2 {
					valuesOf, encode = filter.Blosc2Values, filter.EncodeBlosc2
				}
				values, err := valuesOf(s, size, shape)
				if err != nil {
					t.Fatal(err)
				}
				n := size
				for _, side := range shape {
					n *= side
				}
				items := ramp(n, size)
				chunk, err := encode(nil, items, values)
				if err != nil {
					t.Fatal(err)
				}
				base := filepath.Join(dir, fmt.Sprint(len(all)))
				j := job{Items: base + ".items", Chunk: base + ".chunk", Theirs: base + ".theirs", Size: size, Shape: shape, Filter: id, Values: values}
				writeFile(t, j.Items, items)
				writeFile(t, j.Chunk, chunk)
				all = append(all, j)
				jobs = append(jobs, map[string]any{"items": j.Items, "chunk": j.Chunk, "theirs": j.Theirs, "size": size, "shape": shape, "filter": id, "values": values})
			}
		}
	}
	b, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "jobs"), b)
	var got []struct {
		Digest string
		Mask   int
		Values []uint32
	}
	if err := json.Unmarshal([]byte(python.Run(t, put, filepath.Join(dir, "jobs"), filepath.Join(dir, "f"))), &got); err != nil || len(got) != len(all) {
		t.Fatal(len(got), err)
	}
	for i, j := range all {
		items := readFile(t, j.Items)
		if d := b2test.Digest(items); got[i].Digest != d+d {
			t.Errorf("filter %d, shape %v: h5py or PyTables read other items", j.Filter, j.Shape)
		}
		decode := filter.DecodeBlosc
		if j.Filter == filter.IDBlosc2 {
			decode = filter.DecodeBlosc2
		}
		if got[i].Mask != 0 {
			continue // HDF5 stored the chunk without the filter
		}
		back, err := decode(nil, readFile(t, j.Theirs), got[i].Values)
		if err != nil || string(back) != string(items) {
			t.Errorf("filter %d, shape %v: we read other items of h5py's: %v", j.Filter, j.Shape, err)
		}
	}
}
