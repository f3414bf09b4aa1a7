// Package stream writes and reads Blosc2 frames front to back: a [Writer] to an
// io.Writer, a [Reader] from an io.Reader, a [Conn] in both directions over a
// connection, [Compress] and [Decompress] in memory.
//
//	w, err := stream.CreateFile("numbers.b2frame", stream.TypeSize(8), stream.Auto(tune.Balanced))
//	_, err = stream.Copy(w, numbers)
//	err = w.Close()
//
// [Auto] chooses the settings from the data. Without it chunks are made as by C-Blosc2,
// with lz4 at level 5 after a shuffle: fast, and good for numbers that change slowly.
package stream
