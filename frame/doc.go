// Package frame reads, makes and changes Blosc2 frames: files that hold chunks, an
// index of them, and metalayers.
//
//	f, err := frame.OpenFile("numbers.b2frame")
//	n, err := f.ReadAt(p, 8000) // decoded bytes, at any place
//
// A [Reader] reads at any place, an [Editor] changes a frame in its file, and a
// [Walker] and a [Builder] read and make frames chunk by chunk, without decoding
// them. Functions that end in File take a path, and lock the file where they write.
package frame
