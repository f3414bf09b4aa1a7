package blosclz

import "encoding/binary"

// referenceEncode is C-Blosc2's encoder step by step, a byte of output at a
// time.
func referenceEncode(dst, src []byte, level int) int {
	l := levels[level]
	t := make([]int, 1<<l.hashBits)
	hash := func(w uint32) uint32 { return w * 2654435761 >> (32 - l.hashBits) }
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(src[i:]) }

	probed := src[len(src)-len(src)>>l.probeShift:]
	probed = probed[:min(len(probed), 1<<l.hashBits)]
	if seen, counted := referenceProbe(probed, l.hashBits); float64(seen)/float64(counted) < l.minRatio {
		return 0
	}
	if len(src) < 16 || len(dst) < 66 {
		return 0
	}
	dst[0] = 31
	copy(dst[1:5], src[:4])
	op, ip, literals := 5, 4, 4
	literal := func() bool {
		if op+2 > len(dst) {
			return false
		}
		dst[op] = src[ip]
		op++
		ip++
		if literals++; literals == 32 {
			literals = 0
			dst[op] = 31
			op++
		}
		return true
	}
	for limit := len(src) - 12; ip < limit; {
		a, w := ip, word(ip)
		ref := t[hash(w)]
		t[hash(w)] = a
		d := a - ref
		length := 0
		if d != 0 && d < 73725 && word(ref) == w {
			length = referenceEnd(src, a, d) - 4 - a
		}
		d--
		if length < 4 || length <= 5 && d >= 8191 {
			if !literal() {
				return 0
			}
			continue
		}
		if literals > 0 {
			dst[op-literals-1] = byte(literals - 1)
		} else {
			op--
		}
		literals = 0
		end := a + length
		out := appendMatch(nil, length+2, d+1)
		if op+len(out)+1 > len(dst) {
			return 0
		}
		op += copy(dst[op:], out)
		t[hash(word(end))] = end
		if level == 9 {
			t[hash(word(end)>>8)] = end + 1
		}
		ip = end + 2
		dst[op] = 31
		op++
	}
	for ip < len(src) {
		if !literal() {
			return 0
		}
	}
	if literals > 0 {
		dst[op-literals-1] = byte(literals - 1)
	} else {
		op--
	}
	dst[0] |= 32
	return op
}

func referenceEnd(src []byte, a, d int) int {
	for i := a + 4; i < len(src)-1; i++ {
		if src[i] != src[i-d] {
			return i + 1
		}
	}
	return len(src) - 1
}

func referenceProbe(src []byte, hashBits uint8) (seen, counted int) {
	t := make([]int, 1<<hashBits)
	hash := func(i int) uint32 { return binary.LittleEndian.Uint32(src[i:]) * 2654435761 >> (32 - hashBits) }
	literals, i := 4, 0
	counted = 5
	for i < len(src)-12 {
		ref := t[hash(i)]
		t[hash(i)] = i
		d, length := i-ref, 0
		if d != 0 && string(src[ref:ref+4]) == string(src[i:i+4]) {
			length = referenceEnd(src, i, d) - 4 - i
		}
		if length < 4 {
			i++
			counted++
			if literals++; literals == 32 {
				literals = 0
				counted++
			}
			continue
		}
		if literals == 0 {
			counted--
		}
		literals = 0
		counted += 2
		if d > 8191 {
			counted += 2
		}
		if length >= 7 {
			counted += (length-7)/255 + 1
		}
		t[hash(i+length)] = i + length
		i += length + 2
		counted++
	}
	return i, counted
}
