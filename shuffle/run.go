package shuffle

import "bytes"

// IsRun reports whether all bytes of b are the same, and returns that byte. It
// returns false for an empty slice.
func IsRun(b []byte) (value byte, ok bool) {
	// All bytes are the same if the slice equals itself shifted by one byte. bytes.Equal
	// stops at the first difference and is in assembly everywhere.
	if len(b) == 0 || !bytes.Equal(b[1:], b[:len(b)-1]) {
		return 0, false
	}
	return b[0], true
}

// Repeats reports whether b consists of repetitions of its first n bytes, n > 0; the last
// one need not be whole. It returns false for an empty slice, and true for another one that
// is no longer than n.
func Repeats(b []byte, n int) bool {
	return len(b) > 0 && (len(b) <= n || bytes.Equal(b[n:], b[:len(b)-n])) // as in IsRun
}

// fillPattern is the number of bytes that Fill repeats value to before it copies these
// again and again. It is large enough for fast copies, and small enough for the
// first-level cache. Patterns of 2 and 64 KiB are 0.80 and 0.95 times as fast
// (BenchmarkKernels/256K/Fill, 24 November 2026).
const fillPattern = 8 << 10

// Fill fills dst with repetitions of value. A last repetition that does not fit is
// truncated. It panics if value is empty and dst is not.
func Fill(dst, value []byte) {
	if len(dst) > 0 {
		_ = value[0]
	}
	done := copy(dst, value)
	for done < len(dst) && done < fillPattern {
		done += copy(dst[done:], dst[:done])
	}
	pattern := dst[:done]
	for done < len(dst) {
		done += copy(dst[done:], pattern)
	}
}
