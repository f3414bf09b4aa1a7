// Package frame reads and writes Blosc2 frames: files that hold chunks, an
// index of them, and metalayers.
//
// A [Reader] reads a frame of any generation at any place, from an
// [io.ReaderAt] or a directory; many goroutines may share it. A [Walker] reads
// frames front to back from an [io.Reader]. A [Builder] makes the bytes of new
// ones, an [Editor] changes one in its file. [Verify] and [Repair] are for bad
// days.
//
// # What is stored between the parts
//
// Frames of this package can be written to a pipe, read from a socket and
// checked, while C-Blosc2 reads them as any other. Nothing else in this module
// knows how:
//
//		header  rec₁ | chunk rec₀ | chunk rec₀ | … | end mark  index  rec₂  trailer | (more chunks | end mark …)*
//
//	  - A record has 16 bytes: "B2CK", kind, algorithm (1: XXH3-64, seed 0), two
//	    bytes, eight bytes; numbers are little-endian. Kind 1 holds the digest of the
//	    header, kind 0 that of the chunk before it, with the low 16 bits of the
//	    chunk's length, and kind 2 that of end mark, index and trailer. Kind 3 is
//	    stored before a chunk that begins with what the chunk before it holds, and
//	    replaces it: the eight bytes say how many decoded bytes that is. Kind 4 is the head
//	    of an open chunk, and kind 5 says how many bytes on the next part is.
//	  - The end mark is what C-Blosc2 makes of an empty buffer, a chunk of 32 bytes.
//	  - The index names the last state of every chunk, and is stored raw.
//	  - The metalayer b2stream, the mark, holds flags (bit 0: the chunks are in
//	    order; bit 1: kinds 0 and 1 are there; bit 2: the frame is open, its
//	    writer has not closed it) and repeats the three sizes of the
//	    header. It holds as long as they agree: an edit by C-Blosc2 changes one.
//	  - While a frame is being written its sizes are 0: it is unsealed. Sealing it
//	    writes the header and rec₁ anew.
//
// # Front to back
//
// A frame whose mark holds and has bit 0, or which is unsealed, can be walked.
// The first byte at each place says what is there:
//
//	where a chunk may start  a chunk, or with no decoded bytes the end mark; a record of kind 3
//	after a chunk           its record, if the mark says so
//	after an end mark       the index, if there was a chunk; rec₂; the trailer
//	after a trailer         unsealed: the frame's end. Sealed: that, or, before its length, more chunks
//	after a frame           another frame, which continues the stream; else its end
//
// At the end the last index must name exactly the chunks that were walked. A
// frame without data is header and trailer alone.
//
// # Writing more
//
// Nothing that was sealed is overwritten. An [Editor] puts new chunks, end mark,
// index, record and trailer after the old trailer, and when they are safe it
// writes the header. A frame that was changed otherwise than by appending loses
// bit 0 until it is compacted. A [Log] keeps a frame that is flushed and committed
// for months near its compacted size; docs/logs.md says how, byte by byte.
package frame
