package move

// wide returns the bytes that a run takes where the bytes after it may be
// overwritten, because the next run goes there: fewer words than just the
// run's. 0 means that nothing is won. It is less than twice the run, and so
// never reaches farther than the next run.
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
