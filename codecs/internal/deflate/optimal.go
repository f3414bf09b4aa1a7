package deflate

import "github.com/seed03b80dae/blosc2/codecs/internal/lz77"

// findOptimal implements find by choosing the cheapest cover of a piece by the
// matches found.
func (w *itemFinder) findOptimal(seqs []seq, src []byte, from, to int) ([]seq, int) {
	w.src, w.end, w.missed = src, min(to, len(src)-tail), 0
	defer func() { w.src = nil }()
	w.lengths = w.lengths[:0]
	for _, price := range w.prices.length[:w.effort.Nice] {
		w.lengths = append(w.lengths, uint32(price))
	}
	found, end := w.parser.Parse(w, from, to, &lz77.Costs{Lengths: w.lengths, Least: minMatch, Unit: w.prices.byte})
	anchor := from
	for _, s := range found {
		at := anchor + int(s.Literals)
		if s.Length <= maxMatch {
			seqs = appendMatch(seqs, int(s.Literals), match{length: int(s.Length), distance: int(s.Off)})
		} else {
			seqs, _ = appendRun(seqs, int(s.Literals), int(s.Length))
		}
		anchor = at + int(s.Length)
	}
	return appendRest(seqs, anchor, end)
}

// Seek implements lz77.Matcher.
func (w *itemFinder) Seek(ip int, _ lz77.Step) (at int, literal uint32, matches []lz77.Candidate) {
	for ; ip < w.end; ip++ {
		if literal, matches = w.At(ip, lz77.Step{}, true); len(matches) > 0 {
			break
		}
	}
	return ip, literal, matches
}

// At implements lz77.Matcher.
func (w *itemFinder) At(ip int, _ lz77.Step, good bool) (literal uint32, matches []lz77.Candidate) {
	src, e, p := w.src, &w.effort, &w.prices
	literal = uint32(p.literal[src[ip]])
	switch {
	case !good || ip == 0 || ip >= w.end:
		return literal, nil
	case w.missed>>(e.Skip&63) > 0 && w.missed%4 != 0:
		w.missed++
		return literal, nil
	case w.skips(ip):
		return literal, nil
	}
	if n := run(src, ip); n >= e.Nice {
		if rest := n % maxMatch; rest < minMatch {
			n -= rest
		}
		w.passRun(src, ip, ip+n)
		w.found = append(w.found[:0], lz77.Candidate{Length: uint32(n)})
		return literal, w.found
	}
	matches = w.candidates(src, ip, e.Depth)
	if len(matches) == 0 {
		w.missed++
		w.misses[ip%phases]++
		return literal, nil
	}
	w.missed, w.misses[ip%phases] = 0, 0
	for i := range matches {
		matches[i].Price = uint32(p.distance[distanceSymbol(matches[i].Off)])
	}
	return literal, matches
}
