// Package header reads and writes the header of a frame, with the metalayers,
// and the trailer, with the vlmetalayers, in every layout that C-Blosc2 has
// written.
//
// It does not decode chunks: the index of a frame and the values of vlmetalayers
// are opaque here.
//
// Everything that [Parse] and [Header.ParseTrailer] return is independent of
// their input. The package keeps no state and may be used by several
// goroutines, but a [Header] or [Trailer] must not be changed while it is in
// use.
package header
