package lz4

import "github.com/seed03b80dae/blosc2/codecs/internal/lz77"

// lz4Price holds approximate prices in bits. They allow for matches that begin with the
// highest byte or two of the literal before them, as is usual.
var lz4Price = lz77.Price{Literal: 8*wordSize - 8, Match: 24, Long: 8}

// EncodeDeep is like Encode, with a deeper search that compares depth pairs for
// each word. ok is false for a block of one item, too.
func (e *ValuesEncoder) EncodeDeep(dst, src []byte, depth int) (n int, ok bool) {
	end := (len(src)-searchEnd)/wordSize - 3
	if end < lz77.LeastWords || lz77.Period(src) > 0 || !e.values.Judge(src, end, window) {
		return 0, false
	}
	if e.deep == nil {
		e.deep = new(lz77.DeepValues)
	}
	e.deep.Reset(end)
	op, anchor, unlike := 0, 0, 0
	for _, s := range e.deep.Parse(src, 0, end, window, depth, lz4Price) {
		at := anchor + int(s.Literals)
		if op = putValues(dst, op, src, anchor, at, int(s.Off), int(s.Length)); op == 0 {
			return 0, false
		}
		unlike += int(s.Literals)
		anchor = at + int(s.Length)
	}
	unlike += end - anchor
	n = putLiterals(dst, src[anchor*wordSize:], op)
	return n, n > 0 && 3*unlike <= end
}

// putValues writes a sequence: literals from anchor, and a match from word i. It
// returns the position after the sequence, or 0 if there is no room.
func putValues(dst []byte, op int, src []byte, anchor, i, distance, n int) int {
	literals, length := (i-anchor)*wordSize, n*wordSize
	if literals > 0 {
		more := lz77.Backward(src, i, distance)
		literals -= more
		length += more
	}
	if !hasRoom(len(dst)-op, literals, length) {
		return 0
	}
	return putSequence(dst, op, src[anchor*wordSize:], literals, distance*wordSize, length)
}
