package codecs

import "github.com/seed03b80dae/blosc2"

// Forget undoes Register.
func Forget(id blosc2.CodecID) {
	registry.Lock()
	defer registry.Unlock()
	delete(registry.byID, id)
}
