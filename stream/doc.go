// Package stream writes and reads Blosc2 frames front to back: a [Writer] to an
// io.Writer, a [Reader] from an io.Reader, a [Conn] in both directions over a
// connection, [Compress] and [Decompress] in memory.
//
//	w, err := stream.CreateFile("numbers.b2frame", stream.TypeSize(8), stream.Auto(tune.Balanced))
//	_, err = stream.Copy(w, numbers)
//	err = w.Close()
//
// [Auto] chooses the settings from the data. The default is that of C-Blosc2,
// lz4 at level 5 after a shuffle, for numbers that change slowly.
package stream
