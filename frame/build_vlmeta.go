package frame

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/meta"
)

// vlmetaParams determines how the values of vlmetalayers are compressed. It is
// fixed, and every version of C-Blosc2 can read the result.
var vlmetaParams = chunk.Params{Codec: blosc2.CodecBloscLZ, Level: 5, TypeSize: 1, PlainZeros: true}

// packVLMeta makes the chunk that holds the value of a vlmetalayer.
func packVLMeta(value []byte) ([]byte, error) {
	enc, err := chunk.NewEncoder(vlmetaParams)
	if err != nil {
		return nil, err
	}
	return enc.Encode(nil, value)
}

// decodeVLMeta decompresses the values of vlmetalayers. Together they may
// decode to no more than the limit.
func decodeVLMeta(layers []meta.Layer, lim Limits) ([]meta.Layer, error) {
	out := make([]meta.Layer, len(layers))
	left := lim.Trailer
	for i, l := range layers {
		out[i].Name = l.Name
		if len(l.Value) == 0 { // a trailer of layout T0 or T1 without user metadata
			continue
		}
		h, err := chunk.ParseHeader(l.Value)
		if err != nil {
			return nil, vlmetaError(l.Name, err)
		}
		if err := check(blosc2.PartVLMeta, "decoded vlmetalayers", int64(h.NBytes), left); err != nil {
			return nil, err
		}
		d := chunk.Decoder{MaxBytes: int(lim.Trailer)}
		if out[i].Value, err = d.Decode(nil, l.Value); err != nil {
			return nil, vlmetaError(l.Name, err)
		}
		left -= int64(h.NBytes)
	}
	return out, nil
}

// vlmetaError returns an error that names the invalid vlmetalayer.
func vlmetaError(name string, err error) error {
	return blosc2.Errorf(blosc2.PartVLMeta, err, "%q", name)
}
