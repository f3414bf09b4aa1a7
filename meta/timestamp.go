package meta

import (
	"encoding/binary"
	"time"

	"github.com/tinylib/msgp/msgp"
)

// extTime is the type of msgpack's predefined extension: a time, as 4 bytes of
// seconds, 8 bytes of nanoseconds and seconds, or 12 bytes of both.
const extTime = -1

// farthest is the greatest distance of a time from 1970, in seconds: 34,000 years. A
// timestamp beyond it is decoded as an Ext.
const farthest = 1 << 40

// timestamp returns the extension for a time, in the shortest form.
func timestamp(t time.Time) Ext {
	sec, ns := t.Unix(), uint64(t.Nanosecond())
	var b []byte
	switch both := ns<<34 | uint64(sec); {
	case sec>>34 != 0:
		b = binary.BigEndian.AppendUint32(nil, uint32(ns))
		b = binary.BigEndian.AppendUint64(b, uint64(sec))
	case both>>32 == 0:
		b = binary.BigEndian.AppendUint32(nil, uint32(both))
	default:
		b = binary.BigEndian.AppendUint64(nil, both)
	}
	return Ext{Type: extTime, Data: b}
}

// timestamp returns the time that the extension holds, if it is a timestamp.
func (e Ext) timestamp() (time.Time, bool) {
	var sec, ns int64
	switch {
	case e.Type != extTime:
		return time.Time{}, false
	case len(e.Data) == 4:
		sec = int64(binary.BigEndian.Uint32(e.Data))
	case len(e.Data) == 8:
		both := binary.BigEndian.Uint64(e.Data)
		sec, ns = int64(both&(1<<34-1)), int64(both>>34)
	case len(e.Data) == 12:
		ns, sec = int64(binary.BigEndian.Uint32(e.Data)), int64(binary.BigEndian.Uint64(e.Data[4:]))
	default:
		return time.Time{}, false
	}
	if ns > 999_999_999 || sec > farthest || sec < -farthest {
		return time.Time{}, false
	}
	return time.Unix(sec, ns).UTC(), true
}

func appendExt(dst []byte, e Ext) []byte {
	dst, _ = msgp.AppendExtension(dst, &msgp.RawExtension{Type: e.Type, Data: e.Data}) // this cannot fail
	return dst
}
