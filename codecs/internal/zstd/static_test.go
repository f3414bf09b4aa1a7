package zstd

import (
	"encoding/binary"
	"testing"
)

var static [4096]byte

// A distance that reaches before address 0, which is possible from static memory, is
// rejected like any distance that reaches before the output.
func TestStaticMemory(t *testing.T) {
	block := binary.LittleEndian.AppendUint16(nil, uint16(raw|1<<2|200<<4))
	block = append(block, make([]byte, 200)...)
	block = append(block, 20, 0x54, 4, 25, 7) // 20 sequences with distances of 25 bits
	for range 63 {
		block = append(block, 0xff)
	}
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x60}
	frame = binary.LittleEndian.AppendUint16(frame, uint16(len(static)-256))
	frame = append(appendBlock(frame, compressed, len(block), true), block...)
	at := Plain(frame, len(static))
	for _, dst := range [][]byte{make([]byte, len(static)), static[:]} {
		if err := new(Decoder).Decode(dst, frame, at); err == nil {
			t.Errorf("memory at %p: no error", &dst[0])
		}
	}
}
