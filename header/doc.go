// Package header reads and writes what is at the two ends of a frame: the
// header in front, with the metalayers, and the trailer at the end, with the
// vlmetalayers; in every layout that C-Blosc2 ever wrote.
//
// It knows positions and fields, not chunks: the index of a frame and the
// values of vlmetalayers are chunks, and opaque here.
//
// Everything that [Parse] and [Header.ParseTrailer] return is independent of
// their input. Nothing here keeps state, so different goroutines may use the
// package at once, but one [Header] or [Trailer] must not be changed while it
// is used.
package header
