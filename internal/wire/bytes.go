package wire

import "encoding/binary"

const (
	leadMagic    = 0xa8 // fixstr of 8 bytes
	leadFlags    = 0xa4 // fixstr of 4 bytes
	leadBin32    = 0xc6
	leadFixExt16 = 0xd8
	leadStr32    = 0xdb
)

// Magic is the string at the beginning of every frame: a8 "b2frame\0".
type Magic struct{}

const magic = "b2frame\x00"

func (Magic) Msgsize() int { return 1 + len(magic) }

func (Magic) MarshalMsg(b []byte) ([]byte, error) {
	return append(append(b, leadMagic), magic...), nil
}

func (Magic) UnmarshalMsg(b []byte) ([]byte, error) {
	p, rest, err := take(b, leadMagic, len(magic))
	if err == nil && string(p) != magic {
		return b, errorAt(b, "found %q; must be %q", p, magic)
	}
	return rest, err
}

// Flags holds the four flag bytes of a frame header: a4 and the bytes.
type Flags [4]byte

func (v Flags) Msgsize() int { return 1 + len(v) }

func (v Flags) MarshalMsg(b []byte) ([]byte, error) {
	return append(append(b, leadFlags), v[:]...), nil
}

func (v *Flags) UnmarshalMsg(b []byte) ([]byte, error) {
	p, rest, err := take(b, leadFlags, len(v))
	copy(v[:], p)
	return rest, err
}

// An Ext16 is an extension of 16 bytes: d8, its type, and the bytes. The filter
// pipeline and the fingerprint have this form.
type Ext16 struct {
	Type byte
	Data [16]byte
}

func (v Ext16) Msgsize() int { return 2 + len(v.Data) }

func (v Ext16) MarshalMsg(b []byte) ([]byte, error) {
	return append(append(b, leadFixExt16, v.Type), v.Data[:]...), nil
}

func (v *Ext16) UnmarshalMsg(b []byte) ([]byte, error) {
	p, rest, err := take(b, leadFixExt16, 1+len(v.Data))
	if err == nil {
		v.Type = p[0]
		copy(v.Data[:], p[1:])
	}
	return rest, err
}

// A Str32 is a string after db and a length of 32 bits.
type Str32 string

func (v Str32) Msgsize() int { return 5 + len(v) }

func (v Str32) MarshalMsg(b []byte) ([]byte, error) {
	b = binary.BigEndian.AppendUint32(append(b, leadStr32), uint32(len(v)))
	return append(b, v...), nil
}

func (v *Str32) UnmarshalMsg(b []byte) ([]byte, error) {
	p, rest, err := takeBytes(b, leadStr32)
	*v = Str32(p)
	return rest, err
}

// A Bin32 is a byte string after c6 and a length of 32 bits. Unmarshalled, it
// aliases the input.
type Bin32 []byte

func (v Bin32) Msgsize() int { return 5 + len(v) }

func (v Bin32) MarshalMsg(b []byte) ([]byte, error) {
	b = binary.BigEndian.AppendUint32(append(b, leadBin32), uint32(len(v)))
	return append(b, v...), nil
}

func (v *Bin32) UnmarshalMsg(b []byte) ([]byte, error) {
	p, rest, err := takeBytes(b, leadBin32)
	*v = p
	return rest, err
}
