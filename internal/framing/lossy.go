package framing

import "github.com/seed03b80dae/blosc2"

// LossyCodec reports whether a codec may be lossy, as each plugin but NDLZ may.
func LossyCodec(id blosc2.CodecID) bool {
	const firstPlugin = 32
	return id >= firstPlugin && id != blosc2.CodecNDLZ
}
