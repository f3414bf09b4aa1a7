// Package filter implements the two Blosc filters of HDF5 and the blosc codec of
// Zarr, for libraries that read and write these formats. Its functions take a chunk
// and settings, and append the result to a slice.
//
//	data, err = filter.DecodeBlosc2(data[:0], chunk, values) // HDF5 filter 32026
//	data, err = filter.DecodeBlosc(data[:0], chunk, values)  // HDF5 filter 32001
//	data, err = filter.DecodeZarr(data[:0], chunk, limit)    // Zarr's codec "blosc"
//
// values are the auxiliary values of an HDF5 filter (cd_values). BloscValues and
// Blosc2Values return them for a new dataset. The settings of Zarr's codec are a
// Zarr, which ParseZarrV2 and ParseZarrV3 read from a store's metadata.
//
// The caller may remove what HDF5 puts after a filter, such as the four bytes
// of fletcher32; bytes after a chunk are ignored.
//
// All functions may be called by several goroutines. They keep encoders and
// decoders for the next call, so in steady state, if dst has room, they do not
// allocate. On error they return dst unchanged. dst must not overlap src.
package filter

// These are the ids of the filters in HDF5's registry.
const (
	IDBlosc  = 32001 // Blosc: a chunk of Blosc 1
	IDBlosc2 = 32026 // Blosc2: a frame of one chunk, an array if the rank is 2 or more
)
