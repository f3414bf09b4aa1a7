package shuffle

// IsRun tells whether all bytes of b are the same, and which it is. It is
// false for an empty slice.
func IsRun(b []byte) (value byte, ok bool) {
	if len(b) == 0 {
		return 0, false
	}
	for _, c := range b {
		if c != b[0] {
			return 0, false
		}
	}
	return b[0], true
}

// Fill fills dst with value over and over. A last repetition that does not fit
// is cut off. value must not be empty.
func Fill(dst, value []byte) {
	done := copy(dst, value)
	for done < len(dst) {
		done += copy(dst[done:], dst[:done])
	}
}
