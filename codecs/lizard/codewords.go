package lizard

import "github.com/seed03b80dae/blosc2/codecs/internal/mem"

// take copies the next n literals to dst[at:].
func (s *streams) take(dst []byte, at, n int) (int, error) {
	if n > len(s.literals) {
		return at, corrupt("%d literals, but only %d are left", n, len(s.literals))
	}
	if n > len(dst)-at {
		return at, corrupt("%d literals, but the output has room for %d", n, len(dst)-at)
	}
	copy(dst[at:], s.literals[:n])
	s.literals = s.literals[n:]
	return at + n, nil
}

// extension reads and returns the rest of a length that does not fit in its token.
func (s *streams) extension() (int, error) {
	b := s.literals
	switch {
	case len(b) >= 1 && b[0] < ext16:
		s.literals = b[1:]
		return int(b[0]), nil
	case len(b) >= 3 && b[0] == ext16:
		s.literals = b[3:]
		return u16(b[1:]), nil
	case len(b) >= 4 && b[0] == ext24:
		s.literals = b[4:]
		return u24(b[1:]), nil
	}
	return 0, corrupt("truncated length in the literals")
}

// length completes a length. short is the part in the token, and full reports whether the
// rest of the length follows.
func (s *streams) length(short, full int) (int, error) {
	if short < full {
		return short, nil
	}
	more, err := s.extension()
	return full + more, err
}

// repeat copies the n bytes at distance offset before dst[at:] to it, byte by byte
// if the two overlap.
func repeat(dst []byte, at, offset, n int) (int, error) {
	if n == 0 {
		return at, nil
	}
	if offset <= 0 || offset > at {
		return at, corrupt("invalid offset %d after %d decoded bytes", offset, at)
	}
	if n > len(dst)-at {
		return at, corrupt("match of %d bytes, but the output has room for %d", n, len(dst)-at)
	}
	mem.Repeat(dst, at, offset, n)
	return at + n, nil
}

// decodeLZ4 decodes the LZ4 family's codewords to dst[at:] and returns their
// end.
func decodeLZ4(dst []byte, at int, s *streams) (int, error) {
	for _, token := range s.tokens {
		n, err := s.length(int(token&lz4MaxShort), lz4MaxShort)
		if err != nil {
			return at, err
		}
		if at, err = s.take(dst, at, n); err != nil {
			return at, err
		}
		if len(s.literals) < 2 {
			return at, corrupt("truncated offset in the literals")
		}
		offset := u16(s.literals)
		s.literals = s.literals[2:]
		if n, err = s.length(int(token>>4), lz4MaxShort); err != nil {
			return at, err
		}
		if at, err = repeat(dst, at, offset, n+lz4MinMatch); err != nil {
			return at, err
		}
	}
	return s.take(dst, at, len(s.literals))
}

// decodeLIZ decodes the LIZv1 family's codewords to dst[at:] and returns their end.
func decodeLIZ(dst []byte, at int, s *streams) (int, error) {
	last := 0
	for _, t := range s.tokens {
		token := int(t)
		var n int
		var err error
		if token >= lizMinToken {
			if n, err = s.length(token&lizMaxShortLit, lizMaxShortLit); err != nil {
				return at, err
			}
			if at, err = s.take(dst, at, n); err != nil {
				return at, err
			}
			if token < lizUseLast {
				if len(s.off16) < 2 {
					return at, corrupt("truncated 16-bit offsets")
				}
				last = u16(s.off16)
				s.off16 = s.off16[2:]
			}
			n, err = s.length(token>>3&lizMaxShortMatch, lizMaxShortMatch)
		} else {
			if n, err = s.length(token, lizLongToken); err != nil {
				return at, err
			}
			n += lizMinLongMatch
			if len(s.off24) < 3 {
				return at, corrupt("truncated 24-bit offsets")
			}
			last = u24(s.off24)
			s.off24 = s.off24[3:]
		}
		if err != nil {
			return at, err
		}
		if at, err = repeat(dst, at, last, n); err != nil {
			return at, err
		}
	}
	return s.take(dst, at, len(s.literals))
}
