// Package stream writes and reads Blosc2 frames front to back: a [Writer] to an
// io.Writer, a [Reader] from an io.Reader, a [Conn] in both directions over a
// connection, [Compress] and [Decompress] in memory.
//
//	w, err := stream.CreateFile("numbers.b2frame", stream.TypeSize(8))
//	_, err = stream.Copy(w, numbers)
//	err = w.Close()
//
// Without options chunks are made as by C-Blosc2 for lz4 at level 5 after a
// shuffle, for numbers that change slowly. [Auto] suits other data.
package stream
