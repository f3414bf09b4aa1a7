package filter

import "github.com/seed03b80dae/blosc2/chunk"

// EncodeBlosc appends src to dst as HDF5's filter 32001 stores it: as a chunk of Blosc 1.
// values are the auxiliary values of the filter. EncodeBlosc uses the typesize and, if
// present, the level, shuffle and codec. Incompressible data take 16 bytes more than src;
// HDF5 may then store the chunk without the filter instead.
func EncodeBlosc(dst, src []byte, values []uint32) ([]byte, error) {
	p, err := bloscParams(values)
	if err != nil {
		return dst, err
	}
	c := coders.Get().(*coder)
	defer coders.Put(c)
	return c.encode(dst, src, p)
}

func bloscParams(values []uint32) (chunk.Params, error) {
	p, err := params(values)
	p.Format = chunk.Blosc1
	if err == nil {
		err = p.Validate()
	}
	return p, err
}

// DecodeBlosc appends the decoded bytes of the chunk in src to dst, as HDF5's filter
// 32001 returns them: the whole chunk of the dataset, with the padding at its edges.
// values are the auxiliary values of the filter, or nil if they are unknown. A chunk of
// more bytes than they allow returns blosc2.ErrTooLarge; without values the limit is 256
// MiB. Other errors are those of chunk.Decoder.
func DecodeBlosc(dst, src []byte, values []uint32) ([]byte, error) {
	c := coders.Get().(*coder)
	defer coders.Put(c)
	return c.decode(dst, src, maxDecoded(values))
}
