package header

import (
	"bytes"
	"fmt"

	"github.com/seed03b80dae/blosc2"
)

// Foreign returns the error for data that begin with b and are not a frame: a
// [blosc2.FormatError] that wraps [blosc2.ErrNotBlosc2] and names the format of
// the data, if it is known.
func Foreign(b []byte) error {
	first := b[:min(len(b), 16)]
	what := fmt.Sprintf("not a frame: begins with % x", first)
	if !bytes.ContainsFunc(first, func(r rune) bool { return r < ' ' || r > '~' }) {
		what = fmt.Sprintf("not a frame: begins with %q", first)
	}
	for _, m := range magics {
		if bytes.HasPrefix(b, []byte(m.magic)) {
			what = "this looks like " + m.name
		}
	}
	return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrNotBlosc2, "%s", what)
}

// magics are the first bytes of formats that are likely to be mistaken for a
// frame.
var magics = []struct{ magic, name string }{
	{"\x1f\x8b", "gzip"},
	{"\x28\xb5\x2f\xfd", "zstd"},
	{"\x04\x22\x4d\x18", "an LZ4 frame"},
	{"\xfd7zXZ\x00", "xz"},
	{"BZh", "bzip2"},
	{"\xff\x06\x00\x00sNaPpY", "framed snappy"},
	{"\xff\x06\x00\x00S2sTwO", "S2"},
	{"PK\x03\x04", "a zip or .npz file"},
	{"\x93NUMPY", "a .npy file"},
	{"\x89HDF\r\n\x1a\n", "an HDF5 file"},
	{"PAR1", "a Parquet file"},
	{"ARROW1", "an Arrow file"},
	{"\x89PNG\r\n\x1a\n", "a PNG file"},
	{"blpk", "a Bloscpack file"},
	{"CDF\x01", "a netCDF file"},
	{"CDF\x02", "a netCDF file"},
	{"CDF\x05", "a netCDF file"},
}
