package b2test

// Fewer returns n, or a quarter of it if the race detector is active, with which tests take
// about ten times as long. It is for numbers of repetitions and sizes of data.
func Fewer(n int) int {
	if Race {
		return max(n/4, 1)
	}
	return n
}
