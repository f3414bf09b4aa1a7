// Package frame reads and writes Blosc2 frames: files that hold chunks, an
// index of them, and metalayers.
//
// A [Reader] reads a frame of any generation at any place, from an
// [io.ReaderAt] or a directory; many goroutines may share it. A [Walker] reads
// frames front to back from an [io.Reader]. A [Builder] makes the bytes of new
// ones. What lies between the parts of a frame that this package writes (marks
// and records, which let it be written to a pipe, read from a socket, and
// checked, while C-Blosc2 reads it as any other) is known nowhere else.
package frame
