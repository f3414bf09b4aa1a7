package draw

import "math"

// NewChunkMap returns a Heat of the chunks of a frame, one cell for each, in order.
// perRow is the number of chunks along an array's last dimension. If it is 0, or would
// make the picture very narrow, the length of rows is chosen for usual proportions. Add
// the ratio of each chunk.
func NewChunkMap(h Heat, chunks, perRow int64) *Heat {
	h.X.Label, h.Y.Label = "chunk of the row", "first chunk of the row"
	if perRow <= 1 || chunks > 20*perRow*perRow {
		perRow = min(chunks, roundUp(math.Sqrt(float64(chunks)*2)))
	}
	perRow = max(perRow, 1)
	h.X.Start, h.X.Step, h.X.N = 0, 1, perRow
	h.Y.Start, h.Y.Step, h.Y.N = 0, perRow, (chunks+perRow-1)/perRow
	if h.Y.N == 1 {
		h.X.Label, h.Y.Label = "chunk", ""
	}
	return NewHeat(h)
}

// roundUp returns the smallest of 1, 2, 5, 10, 20, 50… that is not less than v.
func roundUp(v float64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, m := range []int64{1, 2, 5} {
			if float64(m*unit) >= v {
				return m * unit
			}
		}
	}
}
