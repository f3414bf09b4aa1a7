package zarr_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/zarr"
)

const zarrStrings = `
import sys, numpy as np, zarr
dir = sys.argv[1]
a = np.array(['', 'a', 'längeres', '日本語', 'x' * 11] * 20).reshape(10, 10)
def put(name, dtype, a=a, **args):
    z = zarr.create_array(dir + '/' + name, shape=a.shape, dtype=dtype, **args)
    z[:8] = a[:8]
put('v3', str, chunks=(4, 3))
put('shards', str, chunks=(2, 5), shards=(4, 10), fill_value='gone')
put('v2', str, chunks=(4, 3), zarr_format=2)
put('fixed', '<U11', chunks=(4, 3))
put('fixed2', '<U11', chunks=(4, 3), zarr_format=2)
put('bytes', '|S11', np.char.encode(a, 'utf-8'), chunks=(4, 3))
put('bytes2', '|S11', np.char.encode(a, 'utf-8'), chunks=(4, 3), zarr_format=2)
`

// Strings that zarr-python writes are read, both those of any length and those of a
// fixed length.
func TestStrings(t *testing.T) {
	python := b2test.Readers(t)
	dir := t.TempDir()
	python.Run(t, zarrStrings, dir)
	words := []string{"", "a", "längeres", "日本語", strings.Repeat("x", 11)}
	for _, name := range []string{"v3", "shards", "v2", "fixed", "fixed2", "bytes", "bytes2"} {
		z, err := zarr.Open(os.DirFS(dir), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var want []byte
		for i := range 100 {
			word := words[i%5]
			if i >= 80 {
				if word = ""; name == "shards" {
					word = "gone"
				}
			}
			item := make([]byte, 44)
			if strings.HasPrefix(name, "bytes") {
				item = item[:11]
				copy(item, word)
			} else {
				at := 0
				for _, r := range word {
					binary.LittleEndian.PutUint32(item[at:], uint32(r))
					at += 4
				}
			}
			want = append(want, item...)
		}
		got := make([]byte, 100*z.DType.Size)
		if err := z.ReadWindow(got, b2nd.All(z.Shape)); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s of type %s: other items: %q, want %q", name, z.DType, got[:160], want[:160])
		}
	}
}

// Invalid chunks of strings return errors.
func TestBadStrings(t *testing.T) {
	const meta = `{"zarr_format":3,"node_type":"array","shape":[2],"data_type":"string","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},
		"chunk_key_encoding":{"name":"default"},"fill_value":"","codecs":[{"name":"vlen-utf8"}]}`
	for _, chunk := range []string{"", "\x02\x00\x00\x00", "\x01\x00\x00\x00\x00\x00\x00\x00", "\x02\x00\x00\x00\x05\x00\x00\x00abc", "\x02\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\xff"} {
		fsys := fstest.MapFS{"zarr.json": {Data: []byte(meta)}, "c/0": {Data: []byte(chunk)}}
		if _, err := zarr.Open(fsys, "."); !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("%q: %v", chunk, err)
		}
	}
	long := append([]byte("\x02\x00\x00\x00\x00\x00\x00\x00"), make([]byte, 4)...)
	binary.LittleEndian.PutUint32(long[8:], 200<<20)
	long = append(long, bytes.Repeat([]byte{'a'}, 200<<20)...)
	fsys := fstest.MapFS{"zarr.json": {Data: []byte(meta)}, "c/0": {Data: long}}
	if _, err := zarr.Open(fsys, "."); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Error(fmt.Sprint(err))
	}
}
