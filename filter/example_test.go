package filter_test

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filter"
)

// A library that reads HDF5 calls DecodeBlosc2 for each chunk of a dataset with filter
// 32026. The values are in the dataset's creation properties.
func ExampleDecodeBlosc2() {
	values, err := filter.Blosc2Values(filter.Settings{Codec: blosc2.CodecZstd, Level: 5, Shuffle: blosc2.FilterShuffle}, 4, []int{100, 50})
	if err != nil {
		fmt.Println(err)
		return
	}
	var data []byte
	for i := range uint32(100 * 50) {
		data = binary.LittleEndian.AppendUint32(data, i)
	}
	chunk, err := filter.EncodeBlosc2(nil, data, values)
	if err != nil {
		fmt.Println(err)
		return
	}

	back, err := filter.DecodeBlosc2(nil, chunk, values)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bytes.Equal(back, data), len(chunk) < len(data)/10)
	// Output: true true
}

// These are the auxiliary values of filter 32001 for items of four bytes in chunks
// of 1,000.
func ExampleBloscValues() {
	values, err := filter.BloscValues(filter.Settings{Codec: blosc2.CodecLZ4, Level: 5, Shuffle: blosc2.FilterShuffle}, 4, []int{1000})
	fmt.Println(values, err)
	// Output: [2 2 4 4000 5 1 1] <nil>
}

// A library that reads Zarr takes the configuration from zarr.json once, and
// calls DecodeZarr for each chunk.
func ExampleParseZarrV3() {
	z, err := filter.ParseZarrV3([]byte(`{"typesize": 4, "cname": "zstd", "clevel": 5, "shuffle": "bitshuffle", "blocksize": 0}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	data := make([]byte, 4000)
	chunk, err := filter.EncodeZarr(nil, data, z)
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := filter.DecodeZarr(nil, chunk, len(data))
	fmt.Println(z.Codec, z.Shuffle, len(back), err)
	// Output: zstd bitshuffle 4000 <nil>
}

// A zarrCodec has the methods that Zarr libraries in Go require of a codec from
// bytes to bytes.
type zarrCodec struct {
	filter.Zarr
	size int // bytes of a decoded chunk
}

func (c *zarrCodec) Name() string                         { return "blosc" }
func (c *zarrCodec) EncodeBytes(b []byte) ([]byte, error) { return filter.EncodeZarr(nil, b, c.Zarr) }
func (c *zarrCodec) DecodeBytes(b []byte) ([]byte, error) { return filter.DecodeZarr(nil, b, c.size) }

// A Zarr library has a list of codecs from bytes to bytes. This is such a codec,
// implemented by the functions of this package.
func Example_codec() {
	type bytesToBytes interface {
		Name() string
		EncodeBytes([]byte) ([]byte, error)
		DecodeBytes([]byte) ([]byte, error)
	}
	z, err := filter.ParseZarrV3([]byte(`{"typesize": 8, "cname": "lz4", "clevel": 5, "shuffle": "shuffle", "blocksize": 0}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var codec bytesToBytes = &zarrCodec{z, 8000}
	chunk, err := codec.EncodeBytes(make([]byte, 8000))
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := codec.DecodeBytes(chunk)
	fmt.Println(codec.Name(), len(back), err)
	// Output: blosc 8000 <nil>
}

// A pipeline of HDF5 filters is a list of functions from bytes to bytes. The example adds
// the two filters to such a list.
func Example_pipeline() {
	type decoder func(dst, src []byte, values []uint32) ([]byte, error)
	registry := map[int]decoder{
		filter.IDBlosc:  filter.DecodeBlosc,
		filter.IDBlosc2: filter.DecodeBlosc2,
	}

	values := []uint32{2, 2, 8, 800, 5, 1, 1}
	chunk, err := filter.EncodeBlosc(nil, make([]byte, 800), values)
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := registry[filter.IDBlosc](nil, chunk, values)
	fmt.Println(len(data), err)
	// Output: 800 <nil>
}
