package tune

import (
	"math"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// movePrice is about the time to move a byte to its column and back, in units.
const movePrice = cost.Unit / 2

// columnsGain is the inverse of the fraction by which columns must be better: single rows are read
// faster from blocks of rows.
const columnsGain = 16

// columnsBelow is the least speed of links, in bytes per second, for which moving items takes longer
// than columns save.
const columnsBelow = 1e9

// Columns reports whether a table suits the aim better column by column than row by row. rows is
// some of its rows, which have the given number of items, 32 KiB to 1 MiB in all; columns
// returns the same items column by column. Columns must be a 16th better, and worth the time to
// move the items. An item has TypeSize bytes. The result does not depend on BlockSize. Errors
// are those of [Search.Pick].
func (s Search) Columns(rows []byte, items int, columns func() []byte) (bool, error) {
	if err := s.Aim.Check(); err != nil {
		return false, err
	}
	item := max(s.Params.TypeSize, 1)
	if items < 2 || s.settled() || s.Aim.link() >= columnsBelow || !inColumns(rows, item, items*item) {
		return false, nil
	}
	if s.Aim == Archive {
		s.Aim = WAN // a search for Archive takes long
	}
	s.Keep = s.Keep&^KeepBlockSize | KeepTypeSize
	s.recurs = true // all of the rows are compared
	asRows, err := s.least(rows)
	if err != nil || asRows == math.MaxInt64 {
		return false, err
	}
	s.Keep, s.Params.BlockSize = s.Keep|KeepBlockSize, len(rows)/items
	asColumns, err := s.least(columns())
	return asColumns < asRows-asRows/columnsGain-movePrice*scoreParts, err
}

// least returns the least score of the data, or math.MaxInt64 if they are too short. What zstd
// would make of them is estimated from trials of LZ4.
func (s Search) least(data []byte) (int64, error) {
	r, err := newRun(s, [][]byte{data})
	if err != nil || r == nil {
		return math.MaxInt64, err
	}
	defer scratches.Put(r.scratch)
	e := r.efforts()
	var list []trial
	width := r.widths()[0]
	for _, w := range r.ways(width, true) {
		if r.Keep&KeepFilters == 0 && w.filters.Has(blosc2.FilterBitShuffle) {
			continue // it takes the most time, and decides nothing
		}
		list = append(list, r.firstTrials(w, e[0])...)
	}
	if err := r.try(list); err != nil {
		return 0, err
	}
	least := int64(math.MaxInt64)
	for i := range r.trials {
		t := &r.trials[i]
		least = min(least, t.score)
		if len(e) > 1 {
			least = min(least, r.guess(t, e[1]))
		}
	}
	return least, nil
}

// inColumns reports whether more bytes equal the one a row before than the one an item before.
func inColumns(rows []byte, item, row int) bool {
	const places, size = 8, 1 << 10
	inRow, inColumn := 0, 0
	for i := range places {
		at := (len(rows) - size - row) / (places - 1) * i
		if at < 0 || at+row+size > len(rows) {
			break
		}
		piece := rows[at : at+size]
		inRow += equalBytes(piece, rows[at+item:])
		inColumn += equalBytes(piece, rows[at+row:])
	}
	return inColumn > inRow+inRow/32
}
