package filter

import (
	"encoding/json"
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// A Zarr is the configuration of Zarr's codec "blosc".
type Zarr struct {
	Codec     blosc2.CodecID  // blosclz, lz4, lz4hc, snappy, zlib or zstd
	Level     int             // 0 to 9
	Shuffle   blosc2.FilterID // none, shuffle or bitshuffle
	TypeSize  int             // bytes of an item
	BlockSize int             // bytes of a block, 0 for automatic
}

// These are the numbers for shuffle in format 2 that are not those of a filter.
const autoShuffle = -1

// ParseZarrV2 reads the value of "compressor" of an array of Zarr's format 2. Its id must
// be "blosc". The format states the size of an item only in the array's dtype, so the
// caller must pass it as typesize.
func ParseZarrV2(compressor []byte, typesize int) (Zarr, error) {
	v := struct {
		ID        string
		Cname     blosc2.CodecID
		Clevel    int
		Shuffle   int
		Blocksize int
	}{Clevel: 5, Shuffle: 1, Cname: blosc2.CodecLZ4}
	if err := json.Unmarshal(compressor, &v); err != nil {
		return Zarr{}, badConfig(err)
	}
	if v.ID != "blosc" {
		return Zarr{}, &blosc2.OptionError{Option: "compressor", Value: v.ID, Range: "blosc"}
	}
	z := Zarr{Codec: v.Cname, Level: v.Clevel, TypeSize: typesize, BlockSize: v.Blocksize}
	switch {
	case v.Shuffle == autoShuffle && typesize == 1:
		z.Shuffle = blosc2.FilterBitShuffle
	case v.Shuffle == autoShuffle:
		z.Shuffle = blosc2.FilterShuffle
	case v.Shuffle >= 0 && v.Shuffle <= int(blosc2.FilterBitShuffle):
		z.Shuffle = blosc2.FilterID(v.Shuffle)
	default:
		return Zarr{}, &blosc2.OptionError{Option: "shuffle", Value: v.Shuffle, Range: "-1 to 2"}
	}
	_, err := z.params()
	return z, err
}

// A zarrV3 is the configuration in format 3.
type zarrV3 struct {
	Typesize  int            `json:"typesize"`
	Cname     blosc2.CodecID `json:"cname"`
	Clevel    int            `json:"clevel"`
	Shuffle   string         `json:"shuffle"`
	Blocksize int            `json:"blocksize"`
}

var zarrShuffles = []string{"noshuffle", "shuffle", "bitshuffle"} // indexed by blosc2.FilterID

// ParseZarrV3 reads the "configuration" of the codec "blosc" of an array of Zarr's format
// 3. The typesize may be missing only with "noshuffle"; it is then 1.
func ParseZarrV3(configuration []byte) (Zarr, error) {
	var v zarrV3
	if err := json.Unmarshal(configuration, &v); err != nil {
		return Zarr{}, badConfig(err)
	}
	z := Zarr{Codec: v.Cname, Level: v.Clevel, TypeSize: v.Typesize, BlockSize: v.Blocksize, Shuffle: 255}
	for i, name := range zarrShuffles {
		if v.Shuffle == name {
			z.Shuffle = blosc2.FilterID(i)
		}
	}
	switch {
	case z.Shuffle == 255:
		return Zarr{}, &blosc2.OptionError{Option: "shuffle", Value: v.Shuffle, Range: "noshuffle, shuffle or bitshuffle"}
	case z.TypeSize == 0 && z.Shuffle == blosc2.FilterNone:
		z.TypeSize = 1
	}
	_, err := z.params()
	return z, err
}

func badConfig(err error) error {
	return fmt.Errorf("blosc2: configuration of the codec blosc: %w: %w", blosc2.ErrCorrupt, err)
}

// V2 returns the value of "compressor" for an array of Zarr's format 2.
func (z Zarr) V2() ([]byte, error) {
	if _, err := z.params(); err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		ID        string         `json:"id"`
		Cname     blosc2.CodecID `json:"cname"`
		Clevel    int            `json:"clevel"`
		Shuffle   int            `json:"shuffle"`
		Blocksize int            `json:"blocksize"`
	}{"blosc", z.Codec, z.Level, int(z.Shuffle), z.BlockSize})
}

// V3 returns the "configuration" for the codec "blosc" of an array of Zarr's
// format 3.
func (z Zarr) V3() ([]byte, error) {
	if _, err := z.params(); err != nil {
		return nil, err
	}
	return json.Marshal(zarrV3{z.TypeSize, z.Codec, z.Level, zarrShuffles[z.Shuffle], z.BlockSize})
}

// params returns the parameters for making chunks. For items of more than 255 bytes the
// chunk states a typesize of 1, as with C-Blosc.
func (z Zarr) params() (chunk.Params, error) {
	switch {
	case z.Shuffle > blosc2.FilterBitShuffle:
		return chunk.Params{}, &blosc2.OptionError{Option: "shuffle", Value: z.Shuffle, Range: "none, shuffle or bitshuffle"}
	case z.TypeSize < 1:
		return chunk.Params{}, &blosc2.OptionError{Option: "typesize", Value: z.TypeSize, Range: "1 or more"}
	}
	p := chunk.Params{Codec: z.Codec, Level: z.Level, TypeSize: z.TypeSize, BlockSize: z.BlockSize, Format: chunk.Blosc1}
	p.Filters.IDs[filters.Slots-1] = z.Shuffle
	return p, p.Validate()
}

// EncodeZarr appends src to dst as the codec stores it: as a chunk of Blosc 1. src holds
// the bytes of a chunk of an array, or of an inner chunk of a shard.
func EncodeZarr(dst, src []byte, z Zarr) ([]byte, error) {
	p, err := z.params()
	if err != nil {
		return dst, err
	}
	c := coders.Get().(*coder)
	defer coders.Put(c)
	return c.encode(dst, src, p)
}

// DecodeZarr appends the decoded bytes of the chunk in src to dst. A chunk of more than
// limit bytes returns blosc2.ErrTooLarge. limit should be the size of the array's chunks;
// 0 means 256 MiB. Other errors are those of chunk.Decoder. A chunk states how to decode
// it, so the configuration is not needed.
func DecodeZarr(dst, src []byte, limit int) ([]byte, error) {
	c := coders.Get().(*coder)
	defer coders.Put(c)
	return c.decode(dst, src, limit)
}
