// Package meta reads and writes metalayers: the small named values that a
// frame carries beside its data, and the descriptors that some of them are.
//
// A [Layer] is opaque to the frame. The ones that mean something to this
// library are "b2nd" and its predecessor "caterva", which make an array of the
// frame ([B2ND], [Caterva], [DType]), and "b2stream", the mark of a frame that
// can be read front to back ([Stream]). All others are, by convention, msgpack:
// see [Decode].
//
// Functions that parse keep parts of their input in what they return; those
// whose name begins with Append append to dst and return it, as append does.
package meta
