package meta

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Text formats the value of a layer for people: the value that [Decode]
// returns, or hexadecimal if it is not msgpack. Strings are quoted; maps and
// arrays look as in JSON.
func Text(value []byte) string {
	v, err := Decode(value)
	if err != nil {
		return hex.EncodeToString(value)
	}
	var b strings.Builder
	writeText(&b, v)
	return b.String()
}

func writeText(b *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case string:
		b.WriteString(strconv.Quote(v))
	case []byte:
		b.WriteString(hex.EncodeToString(v))
	case time.Time:
		b.WriteString(v.Format(time.RFC3339Nano))
	case Ext:
		fmt.Fprintf(b, "ext %d: %x", v.Type, v.Data)
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			writeText(b, item)
		}
		b.WriteByte(']')
	case Map:
		b.WriteByte('{')
		for i, p := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			writeText(b, p.Key)
			b.WriteString(": ")
			writeText(b, p.Value)
		}
		b.WriteByte('}')
	default:
		fmt.Fprint(b, v)
	}
}
