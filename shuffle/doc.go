// Package shuffle holds the kernels that prepare bytes for compression: it
// transposes the bytes or the bits of an array's items, takes differences,
// and clears bits. The kernels know nothing of chunks, filters or files.
//
// Every kernel has a portable implementation, and most have one in assembly for
// the processor at hand, chosen once when the program starts; Tier says which,
// and Use chooses others to compare them. The build tag purego leaves the
// assembly out.
//
// Destination and source of a kernel have the same length, or the destination
// is longer; what follows is not touched. They must not overlap unless the
// kernel says that they may. All functions are safe for concurrent use.
package shuffle
