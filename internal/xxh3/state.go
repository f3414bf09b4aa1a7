package xxh3

const (
	stripeLen = 64             // bytes that the lanes process at once
	blockLen  = 16 * stripeLen // bytes between two scrambles
	lastKey   = 192 - 64       // offset in the secret for scrambling
	endKey    = 192 - 64 - 7   // offset in the secret for the last stripe
	mergeKey  = 11             // offset in the secret for the digest
)

// A state is eight lanes, to which the stripes of an input of more than maxShort
// bytes are added.
type state [8]uint64

func (s *state) begin() {
	*s = state{prime32x3, prime64x1, prime64x2, prime64x3, prime64x4, prime32x2, prime64x5, prime32x1}
}

// end adds rest, the bytes after the last whole block, at least one, and last, the
// last 64 bytes of the input of n bytes, and returns the digest.
func (s *state) end(rest, last []byte, n int) uint64 {
	k := (len(rest) - 1) / stripeLen
	s.stripes(rest[:k*stripeLen], 0)
	s.stripes(last[:stripeLen], endKey)
	h := uint64(n) * prime64x1
	for i := 0; i < 8; i += 2 {
		h += fold(s[i]^key(mergeKey+8*i), s[i+1]^key(mergeKey+8*i+8))
	}
	return avalanche(h)
}

// stripesGeneric adds stripes, mixed with the secret from k, which advances by
// eight bytes for each stripe.
func (s *state) stripesGeneric(b []byte, k int) {
	for ; len(b) >= stripeLen; b, k = b[stripeLen:], k+8 {
		in, with := (*[stripeLen]byte)(b), (*[stripeLen]byte)(secret[k:])
		for i := 0; i < 8; i += 2 {
			v, w := u64(in[:], 8*i), u64(in[:], 8*i+8)
			x, y := v^u64(with[:], 8*i), w^u64(with[:], 8*i+8)
			s[i] += w + x&(1<<32-1)*(x>>32)
			s[i+1] += v + y&(1<<32-1)*(y>>32)
		}
	}
}

// blocksGeneric adds whole blocks, and scrambles the lanes after each.
func (s *state) blocksGeneric(b []byte) {
	for ; len(b) >= blockLen; b = b[blockLen:] {
		s.stripesGeneric(b[:blockLen], 0)
		for i := range s {
			s[i] ^= s[i] >> 47
			s[i] ^= key(lastKey + 8*i)
			s[i] *= prime32x1
		}
	}
}

// A Hasher computes a digest piece by piece. The zero value is ready.
type Hasher struct {
	state state
	n     int            // number of bytes so far
	buf   [blockLen]byte // bytes that have not been added; never empty after a Write
	fill  int
	last  [stripeLen]byte // the bytes before those in buf
}

// Write adds p to the digested bytes. It never fails.
func (h *Hasher) Write(b []byte) (int, error) {
	n := len(b)
	if h.n == 0 {
		h.state.begin()
	}
	h.n += n
	if h.fill > 0 || n <= blockLen {
		k := copy(h.buf[h.fill:], b)
		h.fill += k
		if b = b[k:]; len(b) == 0 {
			return n, nil
		}
		h.add(h.buf[:])
	}
	if len(b) > blockLen {
		k := (len(b) - 1) / blockLen * blockLen
		h.add(b[:k])
		b = b[k:]
	}
	h.fill = copy(h.buf[:], b)
	return n, nil
}

// add adds blocks that are not the last.
func (h *Hasher) add(b []byte) {
	h.state.blocks(b)
	copy(h.last[:], b[len(b)-stripeLen:])
}

// Sum64 returns the digest of the bytes written so far.
func (h *Hasher) Sum64() uint64 {
	if h.n <= maxShort {
		return Sum64(h.buf[:h.fill])
	}
	s := h.state
	var last [stripeLen]byte
	k := copy(last[stripeLen-min(h.fill, stripeLen):], h.buf[max(0, h.fill-stripeLen):h.fill])
	copy(last[:stripeLen-k], h.last[k:])
	return s.end(h.buf[:h.fill], last[:], h.n)
}
