// Package stream writes and reads Blosc2 frames front to back: a [Writer], a [Reader], a
// [Conn] for both over a connection, and [Compress] and [Decompress] in memory.
//
//	w, err := stream.CreateFile("numbers.b2frame", stream.ItemSize(8), stream.Auto(tune.Balanced))
//	_, err = stream.Copy(w, numbers)
//	err = w.Close()
//
// [Auto] chooses the settings from the data. The default is that of C-Blosc2,
// lz4 at level 5 after a shuffle, for numbers that change slowly.
package stream
