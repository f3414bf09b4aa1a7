package draw

import "slices"

// quantile returns the number below which the given share of all numbers lies. It sorts
// the numbers.
func quantile(all []float64, share float64) float64 {
	if !slices.IsSorted(all) {
		slices.Sort(all)
	}
	return all[int(clamp(share, 0, 1)*float64(len(all)-1)+0.5)]
}
