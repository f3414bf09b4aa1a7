package move

// Runs is the largest number of runs in a Table: few enough to stay in the L1 cache
// together with the data.
const Runs = 512

// A Table holds the offsets of runs without a common step: those of the inner
// dimensions of a box that are too short for a loop each.
type Table struct {
	run     int
	follows []place // runs that another run follows directly in the destination
	ends    []place // the other runs, which are copied last
	high    place   // the greatest offsets of all runs
}

type place struct{ dst, src uint32 }

// Reset empties the table, for runs of run bytes.
func (t *Table) Reset(run int) {
	*t = Table{run: run, follows: t.follows[:0], ends: t.ends[:0]}
}

// Add appends n runs dstStep and srcStep apart, the first dst and src bytes
// after the start of Copy. In the destination no two runs may overlap. An
// offset that is negative or 2^32 or more panics.
func (t *Table) Add(dst, dstStep, src, srcStep, n int) {
	for range n {
		if dst < 0 || src < 0 || uint64(dst)>>32 != 0 || uint64(src)>>32 != 0 {
			panic("move: offset out of range")
		}
		if k := len(t.ends) - 1; k >= 0 && int(t.ends[k].dst)+t.run == dst {
			t.follows = append(t.follows, t.ends[k])
			t.ends = t.ends[:k]
		}
		p := place{uint32(dst), uint32(src)}
		t.ends = append(t.ends, p)
		t.high = place{max(t.high.dst, p.dst), max(t.high.src, p.src)}
		dst += dstStep
		src += srcStep
	}
}

// Copy copies the runs of the table, counted from src[so:] and dst[do:].
func (t *Table) Copy(dst []byte, do int, src []byte, so int) {
	run := t.run
	if len(t.ends) == 0 || run == 0 {
		return
	}
	check(len(dst), do, 0, int(t.high.dst), run)
	check(len(src), so, 0, int(t.high.src), run)
	if word := wide(run); word > 0 && len(src)-so-int(t.high.src) >= word {
		copyWide(dst, do, src, so, t.follows, run)
	} else {
		copyPlaces(dst, do, src, so, t.follows, run)
	}
	copyPlaces(dst, do, src, so, t.ends, run)
}

// copyPlaces copies each run by words within the run.
func copyPlaces(dst []byte, do int, src []byte, so int, runs []place, run int) {
	switch {
	case run == 1:
		copyOnes[[1]byte](dst, do, src, so, runs)
	case run == 2:
		copyOnes[[2]byte](dst, do, src, so, runs)
	case run == 3:
		copyTwos[[2]byte](dst, do, src, so, runs, run-2)
	case run == 4:
		copyOnes[[4]byte](dst, do, src, so, runs)
	case run < 8:
		copyTwos[[4]byte](dst, do, src, so, runs, run-4)
	case run == 8:
		copyOnes[[8]byte](dst, do, src, so, runs)
	case run < 16:
		copyTwos[[8]byte](dst, do, src, so, runs, run-8)
	case run == 16:
		copyOnes[[16]byte](dst, do, src, so, runs)
	case run <= 32:
		copyTwos[[16]byte](dst, do, src, so, runs, run-16)
	case run <= Short:
		copyFours(dst, do, src, so, runs, run-16)
	default:
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy(dst[d:d+run], src[s:s+run])
		}
	}
}

// copyWide copies each run by words that reach into the next one, which is
// copied later.
func copyWide(dst []byte, do int, src []byte, so int, runs []place, run int) {
	switch {
	case run <= 8:
		copyOnes[[8]byte](dst, do, src, so, runs)
	case run <= 16:
		copyOnes[[16]byte](dst, do, src, so, runs)
	case run <= 32:
		copyTwos[[16]byte](dst, do, src, so, runs, 16)
	default:
		copyFours(dst, do, src, so, runs, 48)
	}
}

// copyOnes copies runs of a word.
func copyOnes[W word](dst []byte, do int, src []byte, so int, runs []place) {
	for _, p := range runs {
		one[W](dst, do+int(p.dst), src, so+int(p.src))
	}
}

// copyTwos copies runs of two words, of which the second begins at last.
func copyTwos[W word](dst []byte, do int, src []byte, so int, runs []place, last int) {
	for _, p := range runs {
		d, s := do+int(p.dst), so+int(p.src)
		one[W](dst, d, src, s)
		one[W](dst, d+last, src, s+last)
	}
}

// copyFours copies runs of four words of 16 bytes, of which the fourth begins at
// last.
func copyFours(dst []byte, do int, src []byte, so int, runs []place, last int) {
	for _, p := range runs {
		d, s := do+int(p.dst), so+int(p.src)
		one[[16]byte](dst, d, src, s)
		one[[16]byte](dst, d+16, src, s+16)
		one[[16]byte](dst, d+last-16, src, s+last-16)
		one[[16]byte](dst, d+last, src, s+last)
	}
}
