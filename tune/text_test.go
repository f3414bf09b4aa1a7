package tune_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/tune"
)

func TestPickString(t *testing.T) {
	several, err := filters.Parse("trunc_prec:-9,shuffle")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pick tune.Pick
		want string
	}{
		{tune.Pick{Params: chunk.Default()}, "lz4 5, shuffle, items of 8 bytes"},
		{tune.Pick{Params: chunk.Params{Codec: blosc2.CodecZstd, Level: 3, Filters: several}}, "zstd 3, trunc_prec:-9,shuffle, items of 1 byte"},
		{tune.Pick{Params: chunk.Params{Codec: blosc2.CodecZstd, TypeSize: 4}}, "stored"},
		{tune.Pick{Params: chunk.Params{Codec: blosc2.CodecZlib, Level: 6, TypeSize: 1}, Ratio: 2, Compress: 56.7e6, Expand: 1045.6e6},
			"zlib 6, no filter, items of 1 byte; about 56 MB/s to compress and 1,045 to decompress per core"},
		{tune.Pick{Ratio: 1, Compress: 1e12, Expand: 1e30}, "stored; about 99,999 MB/s to compress and 99,999 to decompress per core"},
	} {
		if got := c.pick.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
