// Package plot draws numbers: a sequence as a line, a table as an image with a
// colour for each item. Its memory depends on the size of the picture, not on how
// many numbers there are.
package plot

// An Axis describes the N items along a dimension: Start, Start+Step and so on.
type Axis struct {
	Name           string
	Start, Step, N int64
}

// A Figure describes what is drawn around the numbers.
type Figure struct {
	Title string
	Note  string // after the title, in grey
	// Seconds is the unit of numbers that are times since 1970, or 0.
	Seconds float64
}
