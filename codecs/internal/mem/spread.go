package mem

// A Spreader turns the first bytes of a 16-byte register into a register that
// repeats them, by a shuffle: what a match at a distance of less than 16 needs.
type Spreader struct {
	Masks [17][16]byte // by distance; the last is the identity, for farther ones
	Steps [24]byte     // by distance: how many bytes of 16 are whole periods
}

// Spread is the table that the decoders' assembly uses.
var Spread = func() (s Spreader) {
	for d := 1; d <= 16; d++ {
		for i := range s.Masks[d] {
			s.Masks[d][i] = byte(i % d)
		}
		s.Steps[d] = byte(16 / d * d)
	}
	return s
}()
