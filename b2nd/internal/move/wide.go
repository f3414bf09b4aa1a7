package move

// wide returns how many bytes to copy for a run if the bytes after it may be
// overwritten, because the next run follows: fewer words than the run alone. 0
// means no gain. It is less than twice the run, and so never reaches past the
// next run.
func wide(run int) int {
	switch {
	case run < 5 || run > Short:
		return 0
	case run <= 8:
		return 8
	case run <= 16:
		return 16
	case run <= 32:
		return 32
	}
	return Short
}
