package zarr_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/zarr"
)

const zarrReads = `
import sys, hashlib, zarr
for name in sys.argv[1:]:
    z = zarr.open(name, mode='r')
    print(z.dtype.str, list(z.shape), list(z.chunks), list(z.shards or []), hashlib.sha256(z[...].tobytes()).hexdigest(), z.attrs.asdict())
`

// zarr-python reads the arrays written, including shards.
func TestZarrPythonReads(t *testing.T) {
	python := b2test.Readers(t)
	dir := t.TempDir()
	var args, want []string
	for i, c := range []struct {
		shape, chunks, blocks []int64
		dtype                 string
	}{
		{[]int64{100, 90}, []int64{40, 50}, []int64{20, 10}, "<f4"},
		{[]int64{13, 11, 7}, []int64{5, 4, 7}, []int64{3, 2, 7}, ">i2"},
		{[]int64{1000}, []int64{300}, []int64{100}, "|u1"},
		{[]int64{64, 8}, []int64{16, 8}, []int64{8, 4}, "<c16"},
		{[]int64{500}, []int64{128}, []int64{32}, "<U7"},
		{[]int64{50, 4}, []int64{16, 4}, []int64{8, 4}, "|S5"},
		{[]int64{500}, []int64{128}, []int64{32}, "|V6"},
		{[]int64{500}, []int64{128}, []int64{32}, "<M8[us]"},
		{[]int64{500}, []int64{128}, []int64{32}, "<m8[25s]"},
	} {
		a := makeArray(t, c.shape, c.chunks, c.blocks, c.dtype)
		m, err := zarr.Of(a, []byte(`{"unit": "K"}`))
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(dir, fmt.Sprint(i))
		err = zarr.Write(m, a, func(name string, data []byte) error {
			file := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return err
			}
			return os.WriteFile(file, data, 0o666)
		})
		if err != nil {
			t.Fatal(err)
		}
		items, err := a.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		list := func(s []int64) string { return strings.ReplaceAll(fmt.Sprint(s), " ", ", ") }
		dtype := c.dtype
		if dtype[0] == '>' { // zarr-python returns items in the machine's order
			dtype = "<" + dtype[1:]
			for i := 0; i < len(items); i += 2 {
				items[i], items[i+1] = items[i+1], items[i]
			}
		}
		sum := sha256.Sum256(items)
		args = append(args, folder)
		want = append(want, fmt.Sprintf("%s %s %s %s %s {'unit': 'K'}", dtype, list(c.shape), list(m.Inner), list(m.Chunks), hex.EncodeToString(sum[:])))
	}
	got := strings.Split(python.Run(t, zarrReads, args...), "\n")
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Errorf("array %d: %q, want %q", i, got, want[i])
		}
	}
}

const zarrWrites = `
import sys, numpy as np, zarr
from zarr.codecs import BloscCodec, ZstdCodec, GzipCodec, TransposeCodec, BytesCodec
dir = sys.argv[1]
a = (np.arange(97 * 53) % 1000).reshape(97, 53)
def three(name, dtype, **args):
    z = zarr.create_array(dir + '/' + name, shape=a.shape, dtype=dtype, **args)
    z[...] = a.astype(dtype)
three('blosc', 'int32', chunks=(20, 10), compressors=BloscCodec(cname='zstd', clevel=3, shuffle='bitshuffle'))
three('zstd', 'float64', chunks=(50, 50), compressors=ZstdCodec(level=1))
three('gzip', 'uint16', chunks=(97, 53), compressors=GzipCodec())
three('raw', '>i4', chunks=(10, 10), compressors=None)
three('sharded', 'float32', chunks=(10, 10), shards=(30, 20), compressors=BloscCodec(cname='lz4', clevel=5, shuffle='shuffle'))
three('transposed', 'int64', chunks=(30, 20), filters=[TransposeCodec(order=(1, 0))], compressors=None)
z = zarr.create_array(dir + '/two', shape=a.shape, dtype='int16', chunks=(40, 30), order='F', zarr_format=2, compressors=None)
z[...] = a
z = zarr.create_array(dir + '/filled', shape=a.shape, dtype='float32', chunks=(40, 30), fill_value=float('nan'))
z[:40] = a[:40]
`

// Arrays written by zarr-python are read, with all codecs.
func TestReadsZarrPython(t *testing.T) {
	python := b2test.Readers(t)
	dir := t.TempDir()
	python.Run(t, zarrWrites, dir)
	for _, name := range []string{"blosc", "zstd", "gzip", "raw", "sharded", "transposed", "two", "filled"} {
		z, err := zarr.Open(os.DirFS(dir), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := make([]byte, 97*53*z.DType.Size)
		if err := z.ReadWindow(got, b2nd.All(z.Shape)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := zarrItems(z.DType.String(), name == "filled")
		if !bytes.Equal(got, want) {
			t.Errorf("%s: other items: % x, want % x", name, got[:40], want[:40])
		}
	}
}

// zarrItems are the items that zarrWrites writes, in bytes of a type.
func zarrItems(dtype string, filled bool) []byte {
	var out []byte
	for i := range 97 * 53 {
		n := i % 1000
		switch dtype {
		case "<i4":
			out = binary.LittleEndian.AppendUint32(out, uint32(n))
		case ">i4":
			out = binary.BigEndian.AppendUint32(out, uint32(n))
		case "<f8":
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(float64(n)))
		case "<f4":
			f := float32(n)
			if filled && i >= 40*53 {
				f = float32(math.NaN())
			}
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(f))
		case "<u2", "<i2":
			out = binary.LittleEndian.AppendUint16(out, uint16(n))
		case "<i8":
			out = binary.LittleEndian.AppendUint64(out, uint64(n))
		}
	}
	return out
}
