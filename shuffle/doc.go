// Package shuffle holds the kernels that prepare bytes for compression: it transposes the
// bytes or the bits of an array's items, computes differences, and clears bits. The
// kernels do not depend on chunks, filters or files.
//
// Every kernel has a portable implementation. Most also have one in assembly, which is
// used if the processor supports it. The choice is made when the program starts. Tier
// returns it, and Use makes another one for comparison. The build tag purego omits the
// assembly.
//
// The destination of a kernel must be at least as long as the source. Bytes of the
// destination after that length are not changed. The two must not overlap unless the
// kernel says that they may. All functions are safe for concurrent use.
package shuffle
