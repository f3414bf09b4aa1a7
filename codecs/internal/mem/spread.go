package mem

// A Spreader holds shuffles that repeat the first bytes of a 16-byte register, as a
// match at a distance of less than 16 needs.
type Spreader struct {
	Masks [17][16]byte // by distance; the last one is the identity, for larger distances
	Steps [24]byte     // by distance: how many of 16 bytes are whole periods
}

// Spread is the table used by the decoders' assembly.
var Spread = func() (s Spreader) {
	for d := 1; d <= 16; d++ {
		for i := range s.Masks[d] {
			s.Masks[d][i] = byte(i % d)
		}
		s.Steps[d] = byte(16 / d * d)
	}
	return s
}()
