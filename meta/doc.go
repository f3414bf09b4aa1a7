// Package meta reads and writes metalayers, the small named values that a frame
// holds besides its data, and the descriptors that some of them contain.
//
// A [Layer] is opaque to the frame. This library interprets "b2nd" and its
// predecessor "caterva", which describe an array ([B2ND], [Caterva], [DType]),
// and "b2stream", the mark of a frame that can be read front to back
// ([Stream]). All others are, by convention, msgpack: see [Decode].
//
// The results of the parsing functions may alias their input. Functions with names
// that begin with Append append to dst and return it.
package meta
