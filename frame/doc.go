// Package frame reads, writes and changes Blosc2 frames: files that hold
// chunks, their index, and metalayers.
//
//	f, err := frame.OpenFile("numbers.b2frame")
//	n, err := f.ReadAt(p, 8000) // decoded bytes, at any place
//
// A [Reader] reads at any offset, an [Editor] changes a frame in its file, and
// a [Walker] and a [Builder] read and write frames chunk by chunk, without
// decoding them. Functions that end in File take a path, and lock the file if
// they write.
package frame
