package lz77

// A progress is the state of a search that is done in several calls.
type progress struct {
	known  int    // number of sequences before the last call
	anchor int    // position after these
	before [2]int // repeated distances after these
	start  int    // where the last call began to search
	end    int    // where it ended
}

// A saved search is one that Restore goes back to.
type saved struct {
	progress
	rep   [2]int
	first int // index of the first sequence of seqs: a search may make the one before it longer
	seqs  []Seq
}

// Begin begins a search that FindMore and FindLong do.
func (f *Finder) Begin(from int) {
	f.seqs = f.seqs[:0]
	f.progress = progress{anchor: from, end: from}
}

// FindMore continues a search up to to, as FindBytes does. It returns all sequences since
// Begin.
func (f *Finder) FindMore(src []byte, to int, e Effort) []Seq {
	from := f.resume(src, to)
	f.findBytes(src, from, to, e)
	f.end = to
	return f.seqs
}

// Last returns the number of sequences before the last call, the position after them, and
// the position at which the last call began to search.
func (f *Finder) Last() (known, covered, start int) { return f.known, f.anchor, f.start }

// Undo drops the sequences that the last call found.
func (f *Finder) Undo() {
	f.seqs, f.rep, f.end = f.seqs[:f.known], f.before, f.start
}

// Save keeps the sequences of the last call for Restore.
func (f *Finder) Save() {
	s := &f.saved
	s.progress, s.rep, s.first = f.progress, f.rep, max(f.known-1, 0)
	s.seqs = append(s.seqs[:0], f.seqs[s.first:]...)
}

// Restore replaces what was found since Save, after Undo. It returns all sequences.
func (f *Finder) Restore() []Seq {
	s := &f.saved
	f.progress, f.rep = s.progress, s.rep
	f.seqs = append(f.seqs[:s.first], s.seqs...)
	return f.seqs
}

// resume prepares a search up to to, and returns where it begins: at the last positions
// that were not searched because the end was near. If the last match reached the end, it
// is made longer.
func (f *Finder) resume(src []byte, to int) (from int) {
	p := &f.progress
	for _, s := range f.seqs[p.known:] {
		p.anchor += int(s.Literals + s.Length)
	}
	p.known, p.before = len(f.seqs), f.rep
	if p.anchor == p.end && p.known > 0 {
		last, distance := &f.seqs[p.known-1], f.rep[0]
		if last.Off > RepeatCodes {
			distance = int(last.Off - RepeatCodes)
		}
		more := CommonPrefix(src, p.end, p.end-distance, to)
		last.Length += uint32(more)
		p.anchor += more
	}
	p.start = max(p.anchor, p.end-tail)
	return p.start
}
