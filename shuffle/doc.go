// Package shuffle holds the kernels that prepare bytes for compression: it
// transposes the bytes or the bits of an array's items, takes differences, and
// clears bits. The kernels do not depend on chunks, filters or files.
//
// Every kernel has a portable implementation, and most have assembly, which is
// chosen for the processor when the program starts. Tier returns the choice, and
// Use chooses others for comparison. The build tag purego omits the assembly.
//
// Destination and source of a kernel have the same length, or the destination is
// longer; bytes after that length are not changed. They must not overlap unless the
// kernel says that they may. All functions are safe for concurrent use.
package shuffle
