package wire

import "slices"

// Flip reverses the byte order of every number in b, in place. le reports whether b
// is little-endian before.
//
// Frames of January and February 2021, and arrays of 2018, were written in the byte
// order of the machine. They are flipped before they are read like all others, and
// after they are written like all others.
//
// b must consist of values for which this package has leaf types.
func Flip(b []byte, le bool) error {
	for rest := b; len(rest) > 0; {
		digits, follow := shape(rest[0])
		if len(rest)-1 < digits {
			return errorAt(rest, "truncated number: %d of %d bytes", len(rest)-1, digits)
		}
		number := rest[1 : 1+digits]
		if !le && follow == counted {
			follow = bigEndian(number)
		}
		slices.Reverse(number)
		if le && follow == counted {
			follow = bigEndian(number)
		}
		rest = rest[1+digits:]
		if follow < 0 || follow > len(rest) {
			return errorAt(rest, "truncated value: %d of %d bytes", len(rest), follow)
		}
		rest = rest[follow:]
	}
	return nil
}

// counted means that the number is the count of the bytes after it.
const counted = -1

// shape returns how many bytes the number after a lead byte has, and how many other
// bytes follow it.
func shape(lead byte) (digits, follow int) {
	switch lead {
	case leadUint16, leadInt16, leadMap16, leadArray16:
		return 2, 0
	case leadUint32, leadInt32:
		return 4, 0
	case leadUint64, leadInt64:
		return 8, 0
	case leadBin32, leadStr32:
		return 4, counted
	case leadFixExt16:
		return 0, 17
	}
	if lead&^MaxName == leadFixStr {
		return 0, int(lead & MaxName)
	}
	return 0, 0 // a small number, a bool, the head of an array
}

// bigEndian reads a length of 32 bits.
func bigEndian(b []byte) (n int) {
	for _, d := range b {
		n = n<<8 | int(d)
	}
	return n
}
