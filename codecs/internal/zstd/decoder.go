package zstd

import (
	"encoding/binary"
	"errors"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/bulk"
)

// ErrCorrupt is returned by Decode for an invalid frame.
var ErrCorrupt = errors.New("corrupt frame")

// literalSlack is the number of bytes that may be read after literals.
const literalSlack = 64

// A Decoder decodes frames of known content size. The zero value is ready. It is
// for one goroutine at a time.
type Decoder struct {
	seq     sequenceState
	valid   [3]bool // whether an earlier block of the frame has set each table
	huffman huffmanDecoder
	buf     []byte // buffer for literals
}

// Plain returns the offset of the blocks of a frame that Decode supports: one with
// a content of n bytes, and without dictionary and checksum. It returns 0 for all
// other frames, valid or not.
func Plain(src []byte, n int) int {
	// Magic_Number (RFC 8878, 3.1.1).
	if len(src) < 6 || binary.LittleEndian.Uint32(src) != magic {
		return 0
	}
	// Frame_Header_Descriptor (RFC 8878, 3.1.1.1.1).
	h, at := src[4], 5
	if h&0x0f != 0 { // a dictionary, a checksum or a reserved bit
		return 0
	}
	single := h&(1<<5) != 0
	if !single {
		at++ // skip the Window_Descriptor (3.1.1.1.2): the destination is the window
	}
	// Frame_Content_Size (3.1.1.1.4).
	var size uint64
	field := src[at:]
	switch width := h >> 6; {
	case width == 0 && single && len(field) >= 1:
		size, at = uint64(field[0]), at+1
	case width == 1 && len(field) >= 2:
		size, at = uint64(binary.LittleEndian.Uint16(field))+256, at+2
	case width == 2 && len(field) >= 4:
		size, at = uint64(binary.LittleEndian.Uint32(field)), at+4
	default:
		return 0
	}
	if size != uint64(n) {
		return 0
	}
	return at
}

// Decode fills dst with the content of a frame whose blocks begin at src[at:].
// It writes nothing else and keeps neither slice. They must not overlap.
func (d *Decoder) Decode(dst, src []byte, at int) error {
	prepare()
	d.valid = [3]bool{}
	d.huffman.log = 0
	d.seq.rep = [3]uint64{1, 4, 8} // RFC 8878, 3.1.1.5
	op := 0
	for last := false; !last; {
		if len(src)-at < 3 {
			return ErrCorrupt
		}
		// Block_Header: Last_Block, Block_Type, Block_Size (RFC 8878, 3.1.1.2).
		h := int(src[at]) | int(src[at+1])<<8 | int(src[at+2])<<16
		at += 3
		last = h&1 != 0
		kind, n := h>>1&3, h>>3
		stored := n
		if kind == rle {
			stored = 1
		}
		// Block_Maximum_Size (3.1.1.2.4), as if the window were large.
		if n > maxBlock || stored > len(src)-at || kind < compressed && n > len(dst)-op || kind > compressed {
			return ErrCorrupt
		}
		switch kind { // Block_Type (3.1.1.2.2)
		case raw:
			op += bulk.Copy(dst[op:], src[at:at+n])
		case rle:
			fill(dst[op:op+n], src[at])
			op += n
		case compressed:
			var err error
			if op, err = d.block(dst, op, src[:at+n], at); err != nil {
				return err
			}
		}
		at += stored
	}
	if op != len(dst) || at != len(src) {
		return ErrCorrupt
	}
	return nil
}

func fill(b []byte, v byte) {
	if len(b) > 0 {
		b[0] = v
		mem.Repeat(b, 1, 1, len(b)-1)
	}
}

// block decodes the compressed block src[at:] to dst[op:] (RFC 8878, 3.1.1.3):
// literals, then sequences, then their execution.
func (d *Decoder) block(dst []byte, op int, src []byte, at int) (int, error) {
	literals, n, at, err := d.literals(src, at)
	if err != nil {
		return 0, err
	}
	count, at, err := d.readTables(src, at)
	if err != nil {
		return 0, err
	}
	limit := min(len(dst), op+maxBlock)
	if count == 0 { // the block has only literals (3.1.1.3.2.1)
		if at != len(src) || n > limit-op {
			return 0, ErrCorrupt
		}
		return op + bulk.Copy(dst[op:], literals[:n]), nil
	}
	s := &d.seq
	s.op, s.count, s.lit, s.litEnd, s.start = op, count, 0, n, at
	if err := s.run(dst[:limit], literals, src); err != nil {
		return 0, err
	}
	return s.op, nil
}

// literals decodes the literals at src[at:]. The literals are the first n bytes of the
// result; the bytes after them allow copies that are too long.
func (d *Decoder) literals(src []byte, at int) (literals []byte, n, next int, err error) {
	h := peek(src, uint(at)*8)
	// Literals_Section_Header (RFC 8878, 3.1.1.3.1.1): Literals_Block_Type,
	// Size_Format, Regenerated_Size and, if compressed, Compressed_Size.
	kind := int(h & 3)
	stored, streams := 0, 4
	if kind == raw || kind == rle {
		switch h >> 2 & 3 {
		case 0, 2:
			n, at = int(h>>3&0x1f), at+1
		case 1:
			n, at = int(h>>4&0xfff), at+2
		case 3:
			n, at = int(h>>4&0xfffff), at+3
		}
		if stored = n; kind == rle {
			stored = 1
		}
	} else {
		format := h >> 2 & 3
		if format == 0 {
			streams = 1
		}
		width := sizeBits[format]
		n, stored = int(low(h>>4, width)), int(low(h>>(4+width), width))
		at += int(4+2*width) / 8
	}
	if n > maxBlock || stored > len(src)-at {
		return nil, 0, 0, ErrCorrupt
	}
	next = at + stored
	if kind == raw { // Raw_Literals_Block (3.1.1.3.1.2)
		return src[at:], n, next, nil
	}
	if d.buf == nil {
		d.buf = make([]byte, maxBlock+maxBlock/4+literalSlack)
	}
	literals = d.buf[:n+literalSlack]
	if kind == rle { // RLE_Literals_Block (3.1.1.3.1.3)
		fill(literals[:n], src[at])
		return literals, n, next, nil
	}
	// Compressed_Literals_Block has a Huffman_Tree_Description (3.1.1.3.1.5);
	// Treeless_Literals_Block uses the previous one (3.1.1.3.1.4).
	code := &d.huffman
	if kind == compressed {
		if at = code.readTable(src, at, next); at == 0 {
			return nil, 0, 0, ErrCorrupt
		}
	}
	if code.log == 0 || n == 0 || !code.decode(d.buf, src, at, next, n, streams) {
		return nil, 0, 0, ErrCorrupt
	}
	return literals, n, next, nil
}

// readTables reads the number of sequences and the tables that describe them.
func (d *Decoder) readTables(src []byte, at int) (count, next int, err error) {
	if at >= len(src) {
		return 0, 0, ErrCorrupt
	}
	// Number_of_Sequences (RFC 8878, 3.1.1.3.2.1).
	b := src[at:]
	switch c := int(b[0]); {
	case c < 128:
		count, at = c, at+1
	case c < 255 && len(b) >= 2:
		count, at = (c-128)<<8+int(b[1]), at+2
	case c == 255 && len(b) >= 3:
		count, at = int(b[1])+int(b[2])<<8+0x7f00, at+3
	default:
		return 0, 0, ErrCorrupt
	}
	if count == 0 {
		return 0, at, nil
	}
	// Symbol_Compression_Modes (3.1.1.3.2.1), of which two bits are reserved, and the
	// tables in the order of its bits.
	if at >= len(src) || src[at]&3 != 0 {
		return 0, 0, ErrCorrupt
	}
	modes := src[at]
	at++
	for i, k := range kinds {
		t := &d.seq.tables[i]
		switch modes >> (6 - 2*i) & 3 {
		case modePredefined: // the default distributions (3.1.1.3.2.2)
			copy(t.entries[:1<<k.log], k.decode.entries[:])
			t.log = k.log
		case modeRLE:
			if at >= len(src) || int(src[at]) >= k.symbols {
				return 0, 0, ErrCorrupt
			}
			t.entries[0], t.log = k.values[src[at]], 0
			at++
		case modeCompressed:
			var norm [maxSymbols]int16
			// FSE_Table_Description (4.1.1), with a log limited by 3.1.1.3.2.1.
			symbols, log, n := readCounts(norm[:k.symbols], src[at:], k.maxLog)
			if n == 0 {
				return 0, 0, ErrCorrupt
			}
			t.build(norm[:symbols], log, k.values)
			at += n
		default: // Repeat_Mode: the table of the last block that had one
			if !d.valid[i] {
				return 0, 0, ErrCorrupt
			}
		}
		d.valid[i] = true
	}
	return count, at, nil
}
