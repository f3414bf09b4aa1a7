//go:build !amd64 || purego

package xxh3

func (s *state) stripes(b []byte, k int) { s.stripesGeneric(b, k) }
func (s *state) blocks(b []byte)         { s.blocksGeneric(b) }

// tiers gives the kernels that the processor has, slowest first.
func tiers() []string { return []string{"generic"} }

func use(string) {}
