package plain

import (
	"errors"

	"github.com/pierrec/lz4/v4"
)

// decodeLZ4 also checks the "End of block conditions" of lz4_Block_format.md, which pierrec's
// decoder ignores and liblz4 relies on.
func decodeLZ4(dst, src, dict []byte) ([]byte, error) {
	n, err := lz4.UncompressBlockWithDict(src, dst, dict)
	if err == nil {
		err = checkEnd(src)
	}
	return dst[:max(n, 0)], err
}

var (
	errTruncated = errors.New("truncated LZ4 block")
	errEnd       = errors.New("the last match of the LZ4 block is too close to its end, so liblz4 rejects the block")
)

// checkEnd returns an error if a match begins in the last 12 bytes of the data of a block, or
// ends in the last 5.
func checkEnd(block []byte) error {
	begin, end := 0, 0 // of the last match, if there is one
	for at := 0; len(block) > 0; {
		token := int(block[0])
		literals, rest := length(token>>4, block[1:])
		if literals > len(rest) {
			return errTruncated
		}
		at += literals
		if literals == len(rest) {
			if end > 0 && (at-begin < 12 || at-end < 5) {
				return errEnd
			}
			return nil
		}
		if rest = rest[literals:]; len(rest) < 2 {
			return errTruncated
		}
		begin = at
		var match int
		match, block = length(token&15, rest[2:])
		at += match + 4
		end = at
	}
	return errTruncated
}

// length returns a length of which a token holds n, and the bytes after it.
func length(n int, b []byte) (int, []byte) {
	for more := n == 15; more && len(b) > 0; b = b[1:] {
		n += int(b[0])
		more = b[0] == 255
	}
	return n, b
}
