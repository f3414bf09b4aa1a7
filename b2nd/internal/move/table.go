package move

// Runs is the most runs that a Table takes: few enough to stay in the first
// cache beside what is moved.
const Runs = 512

// A Table says where runs lie that have no common step: those of the inner
// dimensions of a box that are too few to be worth a loop each.
type Table struct {
	run     int
	follows []place // in the destination the next run begins where this one ends
	ends    []place // the others; they are copied last
	high    place   // the greatest offsets
}

type place struct{ dst, src uint32 }

// Reset empties the table, for runs of run bytes.
func (t *Table) Reset(run int) {
	*t = Table{run: run, follows: t.follows[:0], ends: t.ends[:0]}
}

// Add appends n runs that lie dstStep and srcStep apart, the first dst and src
// bytes from where Copy begins. In the destination no two runs may overlap. An
// offset that is negative or 2^32 or more panics.
func (t *Table) Add(dst, dstStep, src, srcStep, n int) {
	for range n {
		if dst < 0 || src < 0 || uint64(dst)>>32 != 0 || uint64(src)>>32 != 0 {
			panic("move: an offset that does not fit the table")
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

// copyPlaces copies each run by words that touch nothing but the run.
func copyPlaces(dst []byte, do int, src []byte, so int, runs []place, run int) {
	switch {
	case run == 1:
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy1(dst, d, src, s)
		}
	case run == 2:
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy2(dst, d, src, s)
		}
	case run == 3:
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy2(dst, d, src, s)
			copy1(dst, d+2, src, s+2)
		}
	case run == 4:
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy4(dst, d, src, s)
		}
	case run < 8:
		last := run - 4
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy4(dst, d, src, s)
			copy4(dst, d+last, src, s+last)
		}
	case run == 8:
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy8(dst, d, src, s)
		}
	case run < 16:
		last := run - 8
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy8(dst, d, src, s)
			copy8(dst, d+last, src, s+last)
		}
	case run == 16:
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy16(dst, d, src, s)
		}
	case run <= 32:
		last := run - 16
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy16(dst, d, src, s)
			copy16(dst, d+last, src, s+last)
		}
	case run <= Short:
		last := run - 16
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy16(dst, d, src, s)
			copy16(dst, d+16, src, s+16)
			copy16(dst, d+last-16, src, s+last-16)
			copy16(dst, d+last, src, s+last)
		}
	default:
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy(dst[d:d+run], src[s:s+run])
		}
	}
}

// copyWide copies each run by a word that reaches into the next one, which is
// copied later.
func copyWide(dst []byte, do int, src []byte, so int, runs []place, run int) {
	switch {
	case run <= 8:
		for _, p := range runs {
			copy8(dst, do+int(p.dst), src, so+int(p.src))
		}
	case run <= 16:
		for _, p := range runs {
			copy16(dst, do+int(p.dst), src, so+int(p.src))
		}
	case run <= 32:
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy16(dst, d, src, s)
			copy16(dst, d+16, src, s+16)
		}
	default:
		for _, p := range runs {
			d, s := do+int(p.dst), so+int(p.src)
			copy16(dst, d, src, s)
			copy16(dst, d+16, src, s+16)
			copy16(dst, d+32, src, s+32)
			copy16(dst, d+48, src, s+48)
		}
	}
}
