// Package frame reads, makes and changes Blosc2 frames: files that hold chunks, an
// index of them, and metalayers.
//
//	f, err := frame.OpenFile("numbers.b2frame")
//	n, err := f.ReadAt(p, 8000) // decoded bytes, at any place
//
// A [Reader] reads a frame of any generation at any place, from an [io.ReaderAt] or
// a directory. [Edit] changes one in its file, [Reader.Compact] and [Concat] write it anew,
// [Seal] finishes one that came through a pipe, [Verify] and [Repair] find and mend
// damage. A [Walker] and a [Builder] read and make frames chunk by chunk, without
// decoding them. To write a stream of bytes, see package stream.
//
// Functions that end in File take a path, and lock the file where they write.
// docs/format/stream.md has the rules of frames that are written front to back,
// docs/logs.md those of a [Log].
package frame
