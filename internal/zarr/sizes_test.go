package zarr_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/zarr"
)

// The sizes of chunks are those of their files.
func TestStoredSizes(t *testing.T) {
	dir := filepath.Join(b2test.Shared(t), "corpus", "neighbours", "zarr")
	for name, file := range map[string]func(i, j string) string{
		"v2_lz4_bit_9.zarr":          func(i, j string) string { return i + "." + j },
		"v3_zstd_shuffle_109.zarr":   func(i, j string) string { return "c/" + i + "/" + j },
		"v3_lz4_noshuffle_97.zarr":   func(i, j string) string { return "c/" + i + "/" + j },
		"v2_zstd_auto_29.zarr":       func(i, j string) string { return i + "." + j },
		"v3_zstd_noshuffle_106.zarr": func(i, j string) string { return "c/" + i + "/" + j },
	} {
		z, err := zarr.Open(os.DirFS(dir), name)
		if err != nil {
			t.Fatal(err)
		}
		sizes, err := z.StoredSizes(context.Background())
		if err != nil || len(sizes) != 6 || z.Files() != 6 {
			t.Fatalf("%s: %v, %v", name, sizes, err)
		}
		decoded := int64(0)
		for i, size := range sizes {
			info, err := os.Stat(filepath.Join(dir, name, file(string(rune('0'+i/2)), string(rune('0'+i%2)))))
			if err != nil || info.Size() != size {
				t.Errorf("%s: chunk %d has %d bytes; its file: %v, %v", name, i, size, info.Size(), err)
			}
			decoded += z.Decoded(int64(i))
		}
		if decoded != 4*100*90 || z.Decoded(5) != 4*20*40 {
			t.Errorf("%s: the chunks have %d bytes, the last %d", name, decoded, z.Decoded(5))
		}
	}
}

// The sizes of inner chunks and indices add up to those of the shards. Chunks of
// zeros are not stored, and have size 0.
func TestStoredSizesOfShards(t *testing.T) {
	a := makeArray(t, []int64{100, 90}, []int64{40, 50}, []int64{20, 10}, "<f4")
	m, err := zarr.Of(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	files, all := fstest.MapFS{}, int64(0)
	err = zarr.Write(m, a, func(name string, data []byte) error {
		files["g/"+name] = &fstest.MapFile{Data: bytes.Clone(data)}
		if name != "zarr.json" && len(data) > 0 {
			all += int64(len(data)) - 10*16 - 4 // subtract the index of ten inner chunks
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	z := mustOpen(t, files)
	sizes, err := z.StoredSizes(context.Background())
	if err != nil || len(sizes) != 5*9 || z.Files() != 6 {
		t.Fatalf("%d sizes, %d files, %v", len(sizes), z.Files(), err)
	}
	sum, none := int64(0), 0
	for i, n := range sizes {
		if sum += n; n == 0 {
			none++
		}
		if z.Decoded(int64(i)) != 4*20*10 {
			t.Errorf("inner chunk %d has %d bytes", i, z.Decoded(int64(i)))
		}
	}
	if sum != all || none != 2*9 {
		t.Errorf("%d bytes stored, want %d; %d chunks are not stored", sum, all, none)
	}
	for name, f := range files {
		if name != "g/zarr.json" && len(f.Data) > 0 {
			f.Data[len(f.Data)-20] ^= 1
			if _, err := z.StoredSizes(context.Background()); !errors.Is(err, blosc2.ErrChecksum) {
				t.Errorf("%s damaged: %v", name, err)
			}
			f.Data[len(f.Data)-20] ^= 1
		}
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := z.StoredSizes(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	huge := fstest.MapFS{"g/.zarray": {Data: []byte(`{"zarr_format":2,"shape":[1099511627776,1099511627776,1099511627776],"chunks":[1,1,1],"dtype":"|u1","compressor":null,"fill_value":0,"order":"C","filters":null}`)}}
	if z, err := zarr.Open(huge, "g"); err == nil {
		if _, err := z.StoredSizes(context.Background()); !errors.Is(err, blosc2.ErrTooLarge) {
			t.Errorf("2^120 chunks: %v", err)
		}
	}
	many := fstest.MapFS{"g/.zarray": {Data: []byte(`{"zarr_format":2,"shape":[1099511627776],"chunks":[1],"dtype":"|u1","compressor":null,"fill_value":0,"order":"C","filters":null}`)}}
	if _, err := mustOpen(t, many).StoredSizes(context.Background()); !errors.Is(err, blosc2.ErrTooLarge) {
		t.Errorf("2^40 chunks: %v", err)
	}
}
