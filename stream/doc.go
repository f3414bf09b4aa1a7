// Package stream writes and reads Blosc2 frames front to back. A [Writer] takes
// bytes and puts a frame into an io.Writer, a [Reader] takes frames from an
// io.Reader and returns the bytes, and a [Conn] does both over a connection.
// [Compress] and [Decompress] do it for bytes in memory. What a Writer writes into a
// file, C-Blosc2 opens.
//
//	w, err := stream.CreateFile("numbers.b2frame", stream.TypeSize(8))
//	if err != nil {
//		return err
//	}
//	defer w.Abort(nil) // does nothing after Close
//	if _, err := stream.Copy(w, numbers); err != nil {
//		return err
//	}
//	return w.Close()
//
// Without options chunks are made as C-Blosc2 makes them for lz4 at level 5 after a
// shuffle, which is fast and suits numbers that change slowly. [Auto] finds what suits
// other data.
//
// See also [Copy] for sources that fail, [AppendFile] for logs, [Workers] for
// goroutines, [Memory] for what is held, and [Writer] for frames in pipes.
package stream
