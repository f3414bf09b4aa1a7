//go:build !amd64 || purego

package xxh3

func (s *state) stripes(b []byte, k int) { s.stripesGeneric(b, k) }
func (s *state) blocks(b []byte)         { s.blocksGeneric(b) }
