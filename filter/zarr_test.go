package filter_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filter"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// zarrConfig reads the configuration of the codec from the metadata of a store.
func zarrConfig(t *testing.T, dir string) filter.Zarr {
	t.Helper()
	if text, err := os.ReadFile(filepath.Join(dir, ".zarray")); err == nil {
		var a struct{ Compressor json.RawMessage }
		if err := json.Unmarshal(text, &a); err != nil {
			t.Fatal(err)
		}
		z, err := filter.ParseZarrV2(a.Compressor, 4)
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	var a struct {
		Codecs []struct {
			Name          string
			Configuration json.RawMessage
		}
	}
	if err := json.Unmarshal(readFile(t, dir, "zarr.json"), &a); err != nil {
		t.Fatal(err)
	}
	for _, c := range a.Codecs {
		if c.Name == "blosc" {
			z, err := filter.ParseZarrV3(c.Configuration)
			if err != nil {
				t.Fatal(err)
			}
			return z
		}
	}
	t.Fatalf("%s has no codec blosc", dir)
	return filter.Zarr{}
}

// Every chunk of the Zarr stores in the corpus decodes to its payload. Our chunks of the
// payload, with the store's configuration, decode to it too.
func TestZarrCorpus(t *testing.T) {
	dir := neighbours(t, "zarr")
	var m struct {
		Count  int
		Stores []struct {
			Path          string
			DType         string
			ChunksPayload []struct {
				File          string
				PayloadSHA256 string `json:"payload_sha256"`
				NBytes        int
			} `json:"chunks_payload"`
		}
	}
	readManifest(t, dir, &m)
	stores, chunks := 0, 0
	for _, s := range m.Stores {
		z := zarrConfig(t, filepath.Join(dir, s.Path))
		for _, c := range s.ChunksPayload {
			stored := readFile(t, dir, s.Path, c.File)
			data, err := filter.DecodeZarr(nil, stored, c.NBytes)
			if err != nil || len(data) != c.NBytes || b2test.Digest(data) != c.PayloadSHA256 {
				t.Errorf("%s %s: %d bytes, %v", s.Path, c.File, len(data), err)
				continue
			}
			again, err := filter.EncodeZarr(nil, data, z)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := filter.DecodeZarr(nil, again, c.NBytes); err != nil || !bytes.Equal(back, data) {
				t.Errorf("%s %s: does not round-trip: %v", s.Path, c.File, err)
			}
			if again[0] != 2 || again[3] != stored[3] || again[2]&0xe5 != stored[2]&0xe5 {
				t.Errorf("%s %s: header % x, the store's is % x", s.Path, c.File, again[:4], stored[:4])
			}
			chunks++
		}
		stores++
	}
	if stores != m.Count || chunks != 6*stores {
		t.Errorf("saw %d chunks in %d stores of %d", chunks, stores, m.Count)
	}
}

func TestZarrConfigurations(t *testing.T) {
	z := filter.Zarr{Codec: blosc2.CodecZstd, Level: 7, Shuffle: blosc2.FilterBitShuffle, TypeSize: 8, BlockSize: 4096}
	v2, err := z.V2()
	if err != nil || string(v2) != `{"id":"blosc","cname":"zstd","clevel":7,"shuffle":2,"blocksize":4096}` {
		t.Errorf("%s, %v", v2, err)
	}
	if back, err := filter.ParseZarrV2(v2, 8); err != nil || back != z {
		t.Errorf("%+v, %v", back, err)
	}
	v3, err := z.V3()
	if err != nil || string(v3) != `{"typesize":8,"cname":"zstd","clevel":7,"shuffle":"bitshuffle","blocksize":4096}` {
		t.Errorf("%s, %v", v3, err)
	}
	if back, err := filter.ParseZarrV3(v3); err != nil || back != z {
		t.Errorf("%+v, %v", back, err)
	}
	for size, want := range map[int]blosc2.FilterID{1: blosc2.FilterBitShuffle, 4: blosc2.FilterShuffle} {
		z, err := filter.ParseZarrV2([]byte(`{"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": -1, "blocksize": 0}`), size)
		if err != nil || z.Shuffle != want {
			t.Errorf("automatic shuffle of %d bytes: %v, %v", size, z.Shuffle, err)
		}
	}
	for _, text := range []string{"", "{", `{"id": "zlib"}`, `{"id": "blosc", "cname": "x"}`, `{"id": "blosc", "shuffle": 3}`, `{"id": "blosc", "shuffle": -2}`, `{"id": "blosc", "clevel": 10}`, `{"id": "blosc", "blocksize": -1}`} {
		if z, err := filter.ParseZarrV2([]byte(text), 4); err == nil {
			t.Errorf("%s: %+v", text, z)
		}
	}
	for _, text := range []string{"", `{"shuffle": "x"}`, `{"cname": "lz4", "shuffle": "shuffle"}`, `{"cname": "ndlz", "shuffle": "noshuffle"}`, `{"typesize": -1, "shuffle": "shuffle"}`} {
		if z, err := filter.ParseZarrV3([]byte(text)); err == nil {
			t.Errorf("%s: %+v", text, z)
		}
	}
	if _, err := filter.EncodeZarr(nil, []byte("x"), filter.Zarr{Shuffle: 200, TypeSize: 1}); !errors.Is(err, blosc2.ErrOption) {
		t.Error(err)
	}
}
