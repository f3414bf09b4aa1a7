// Package plot draws numbers as a picture: a sequence as a line, a table as an
// image with a colour for each item. It keeps no more of the numbers than the
// picture has pixels, so that they may be any number.
package plot

// An Axis tells which items stand along a dimension: item number Start is the
// first of N, each Step further.
type Axis struct {
	Name           string
	Start, Step, N int64
}

// A Figure is what stands around the numbers.
type Figure struct {
	Title string
	Note  string // behind the title, in grey
	// Seconds is what 1 is worth where numbers are moments since 1970; 0 where
	// they are numbers.
	Seconds float64
}
