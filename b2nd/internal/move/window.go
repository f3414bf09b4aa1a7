package move

// width is the number of bytes of a register.
const width = 64

// least is the smallest number of runs along a dimension for which a Window is faster.
const least = 8

// windows moves rows of windows, in assembly; nil if there is none.
var windows func(dst, src *byte, w *Window, dstRow, srcRow, rows int)

// A Window moves several runs at once, from 64 bytes of the source to 64 bytes of the
// destination: for example the first of three colours of 22 pixels.
type Window struct {
	perm                [width]byte // for each byte of the destination, the index of the source's byte
	load, store         uint64      // masks of the bytes that are read and written
	lastLoad, lastStore uint64      // masks for the last window of a row
	srcStep, dstStep    int         // bytes from one window to the next
	srcSpan, dstSpan    int         // bytes that a window spans
	steps               int         // number of windows of a row, less the last

	run, n, dstRun, srcRun int // the arguments of Plan
}

// Plan prepares the copy of rows of n runs of run bytes dstStep and srcStep apart.
// It reports whether that is faster than Strided: the machine must support it, and
// several runs must fit in a window.
func (w *Window) Plan(run, dstStep, srcStep, n int) bool {
	if windows == nil || run < 1 || n < least || dstStep < run || srcStep < run || max(dstStep, srcStep)+run > width {
		return false
	}
	*w = Window{run: run, n: n, dstRun: dstStep, srcRun: srcStep}
	each := min((width-run)/max(dstStep, srcStep)+1, n)
	for r := range each {
		for b := range run {
			w.perm[r*dstStep+b] = byte(r*srcStep + b)
		}
	}
	w.steps = (n - 1) / each
	w.srcStep, w.dstStep = each*srcStep, each*dstStep
	w.srcSpan, w.dstSpan = (each-1)*srcStep+run, (each-1)*dstStep+run
	w.load, w.store = runMask(run, srcStep, each), runMask(run, dstStep, each)
	rest := n - w.steps*each
	w.lastLoad, w.lastStore = runMask(run, srcStep, rest), runMask(run, dstStep, rest)
	return true
}

// runMask has a bit for each byte of n runs.
func runMask(run, step, n int) (mask uint64) {
	for r := range n {
		mask |= (1<<run - 1) << (r * step)
	}
	return mask
}

// Copy copies the given number of rows, dstRow and srcRow bytes apart, the first from
// src[so:] to dst[do:].
func (w *Window) Copy(dst []byte, do, dstRow int, src []byte, so, srcRow, rows int) {
	if rows <= 0 || w.n == 0 {
		return
	}
	_, last := extremes(w.dstRun, w.n)
	low, high := extremes(dstRow, rows)
	check(len(dst), do, low, high, last+w.run)
	_, last = extremes(w.srcRun, w.n)
	low, high = extremes(srcRow, rows)
	check(len(src), so, low, high, last+w.run)
	windows(&dst[do], &src[so], w, dstRow, srcRow, rows)
}
