// Package b2nd reads, writes and changes n-dimensional arrays. An array is a
// frame with a metalayer, b2nd or its predecessor caterva, that tells its shape
// and how it is cut into chunks, and those into blocks; see grid for where an
// item lies.
//
// Open reads only what it is asked for: ReadWindow and Read fetch the blocks
// that hold the items, At one item, Chunks goes through all of them with one
// chunk in memory, and WriteTo copies them in C order. A source may be far away:
// the index is read once, and blocks that lie together are one read.
//
// A Writer takes items in C order, as rows come, into anything that takes bytes,
// and need not know how many rows there will be; what ends early is still an
// array of its rows, by CloseRows or, after a crash, by Finish. Zeros, NaNs,
// Uninit and Full make arrays of any size at once. An Editor changes an array in
// its file.
//
// Items are bytes of a NumPy type, in the order that it says. Read and ReadField
// give numbers in the machine's.
package b2nd
