package wire

import "encoding/binary"

// These are numbers, big-endian after their lead byte.
type (
	Uint8  uint8 // positive fixint, 0 to 127: the byte itself
	Uint16 uint16
	Int16  int16
	Uint32 uint32
	Int32  int32
	Uint64 uint64
	Int64  int64
)

const (
	leadUint16 = 0xcd
	leadUint32 = 0xce
	leadUint64 = 0xcf
	leadInt16  = 0xd1
	leadInt32  = 0xd2
	leadInt64  = 0xd3
)

func (v Uint8) Msgsize() int  { return 1 }
func (v Uint16) Msgsize() int { return 3 }
func (v Int16) Msgsize() int  { return 3 }
func (v Uint32) Msgsize() int { return 5 }
func (v Int32) Msgsize() int  { return 5 }
func (v Uint64) Msgsize() int { return 9 }
func (v Int64) Msgsize() int  { return 9 }

func (v Uint8) MarshalMsg(b []byte) ([]byte, error) {
	if v > 0x7f {
		return b, errorAt(nil, "%d is not a positive fixint", v)
	}
	return append(b, byte(v)), nil
}

func (v Uint16) MarshalMsg(b []byte) ([]byte, error) {
	return binary.BigEndian.AppendUint16(append(b, leadUint16), uint16(v)), nil
}

func (v Int16) MarshalMsg(b []byte) ([]byte, error) {
	return binary.BigEndian.AppendUint16(append(b, leadInt16), uint16(v)), nil
}

func (v Uint32) MarshalMsg(b []byte) ([]byte, error) {
	return binary.BigEndian.AppendUint32(append(b, leadUint32), uint32(v)), nil
}

func (v Int32) MarshalMsg(b []byte) ([]byte, error) {
	return binary.BigEndian.AppendUint32(append(b, leadInt32), uint32(v)), nil
}

func (v Uint64) MarshalMsg(b []byte) ([]byte, error) {
	return binary.BigEndian.AppendUint64(append(b, leadUint64), uint64(v)), nil
}

func (v Int64) MarshalMsg(b []byte) ([]byte, error) {
	return binary.BigEndian.AppendUint64(append(b, leadInt64), uint64(v)), nil
}

func (v *Uint8) UnmarshalMsg(b []byte) ([]byte, error) {
	if len(b) == 0 {
		return b, errorAt(b, "ends before a small number")
	}
	if b[0] > 0x7f {
		return b, errorAt(b, "byte %#02x is not a small number", b[0])
	}
	*v = Uint8(b[0])
	return b[1:], nil
}

func (v *Uint16) UnmarshalMsg(b []byte) ([]byte, error) {
	return v.unmarshal(b, leadUint16)
}

func (v *Uint16) unmarshal(b []byte, lead byte) ([]byte, error) {
	p, rest, err := take(b, lead, 2)
	if err == nil {
		*v = Uint16(binary.BigEndian.Uint16(p))
	}
	return rest, err
}

func (v *Int16) UnmarshalMsg(b []byte) ([]byte, error) {
	p, rest, err := take(b, leadInt16, 2)
	if err == nil {
		*v = Int16(binary.BigEndian.Uint16(p))
	}
	return rest, err
}

func (v *Uint32) UnmarshalMsg(b []byte) ([]byte, error) {
	return v.unmarshal(b, leadUint32)
}

func (v *Uint32) unmarshal(b []byte, lead byte) ([]byte, error) {
	p, rest, err := take(b, lead, 4)
	if err == nil {
		*v = Uint32(binary.BigEndian.Uint32(p))
	}
	return rest, err
}

func (v *Int32) UnmarshalMsg(b []byte) ([]byte, error) {
	p, rest, err := take(b, leadInt32, 4)
	if err == nil {
		*v = Int32(binary.BigEndian.Uint32(p))
	}
	return rest, err
}

func (v *Uint64) UnmarshalMsg(b []byte) ([]byte, error) {
	p, rest, err := take(b, leadUint64, 8)
	if err == nil {
		*v = Uint64(binary.BigEndian.Uint64(p))
	}
	return rest, err
}

func (v *Int64) UnmarshalMsg(b []byte) ([]byte, error) {
	p, rest, err := take(b, leadInt64, 8)
	if err == nil {
		*v = Int64(binary.BigEndian.Uint64(p))
	}
	return rest, err
}
