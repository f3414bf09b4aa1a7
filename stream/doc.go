// Package stream writes and reads Blosc2 frames front to back: a Writer takes
// bytes and puts a frame into an io.Writer, a Reader takes frames from an
// io.Reader and returns the bytes, and a Conn does both over a connection. What
// lies between is a file that C-Blosc2 opens. Compress and Decompress do it for
// bytes in memory.
//
//	packed, err := stream.Compress(nil, data, stream.TypeSize(8))
//	data, err = stream.Decompress(nil, packed)
//
//	w, err := stream.NewWriter(file, stream.TypeSize(8), stream.Auto(tune.Network))
//	if err != nil {
//		return err
//	}
//	defer w.Abort(nil) // does nothing after Close
//	if _, err := stream.Copy(w, numbers); err != nil {
//		return err
//	}
//	return w.Close()
//
//	r, err := stream.NewReader(file)
//	if err != nil {
//		return err
//	}
//	_, err = io.Copy(dst, r)
//	return err
//
// # Settings
//
// Without options chunks are made as C-Blosc2 makes them when asked for lz4 at
// level 5 after a shuffle. That is good for numbers that change slowly, on their
// way through memory: it is fast, and hardly ever the smallest. Text, decimal
// prices, sound and values that come again ask for something else. Auto finds it,
// for memory, a disk, a network, an archive, a link of any speed, or where that is
// not known: see there.
//
// # A copy that fails
//
// A frame that was closed says that its data are complete, so a Writer must know
// whether a copy failed. Copy with [Copy] or [CopyN]: the Writer keeps an error of
// the source, and Close, a deferred one too, returns it and leaves the frame
// unfinished. A Reader of it returns the data that came, and then
// io.ErrUnexpectedEOF.
//
//	w, err := stream.CreateFile(name)
//	if err != nil {
//		return err
//	}
//	defer w.Close() // finishes nothing after a failed Copy
//	if _, err := stream.Copy(w, src); err != nil {
//		return err
//	}
//	return w.Close()
//
// io.Copy does the same unless the source has a WriteTo method, as a zstd.Decoder
// has: it calls that instead, and the Writer does not see the error. (It sees that
// of a Reader of this package, and of a bufio.Reader.) io.CopyN takes the end of a
// source that is too short for success until its caller looks at what it returns.
//
// After Write, call CloseWithError with the reason why more data do not come. To
// cover every way out of a function, a panic too, use defer w.Abort(nil) instead of
// defer w.Close(): it does nothing after Close.
//
// ClearError is for a caller that wants a finished frame of what came, or to go on
// with another source. CloseWithError writes what has come; Abort writes nothing
// more, and drops what is held back. A frame that was committed, by Checkpoint or
// before Append, keeps what was flushed or committed in either case, and
// FileWriter closes and unlocks its file.
//
// A panic of the sink, the source, a callback, a codec or a filter ends the Writer
// or Reader, which releases all that it holds, and goes on in the goroutine of
// the caller; one that came up in another goroutine is a *blosc2.PanicError there.
// Close returns an error afterwards, and the frame is unfinished.
//
// # Sealed and unsealed
//
// The header of a frame is in front and holds sizes that are known at the
// end only. Into a file the Writer puts them at Close, when the frame is
// sealed; so it does in a *bytes.Buffer, if the frame is still in it as a whole
// and nothing else was written after it, and in a *strings.Builder, for which all
// is held back until Close or Flush. Into a pipe or a socket it cannot, and the
// frame stays unsealed, unless it is small (up to 4 MiB without a Flush, which
// are held back) or spooled. A Reader takes both. C-Blosc2 takes sealed ones
// alone; frame.Seal finishes the others later.
//
// Flush goes on to a sink that buffers itself, such as a bufio.Writer or an
// http.ResponseWriter; Close does not, as it does not close the sink.
//
// # Logs
//
// A program that logs for months calls AppendFile at each start, Write for each
// record, Flush when a record must survive the death of the process, and
// Checkpoint when it must survive that of the machine and be read by C-Blosc2:
//
//	w, err := stream.AppendFile("sensor.b2frame", stream.TypeSize(8))
//	if err != nil {
//		return err
//	}
//	defer w.Close()
//
// A Flush into a file costs the new bytes, and the file stays near the size that
// it would have if it had been written at once: at most two chunks more while it
// is written, and nothing more after Close. AppendFile goes on from any state, and
// Recovered says how much was flushed and not committed. Readers see everything
// that was flushed, in the same process and another. What the file holds at every
// moment is in docs/logs.md.
//
// To begin a new file each day or at some size, close the Writer when Stats or the
// clock says so, rename the file, and call AppendFile again. A sequence of such
// files is one stream for a Reader of an io.MultiReader, and frame.ConcatFiles
// joins them.
//
// # The end of a stream
//
// Frames that follow each other are one stream. Anything else after the last one
// is blosc2.ErrTrailing, once all data were read, because it may be a frame whose
// beginning is damaged; AllowTrailing treats it as the end. What a writer of the
// same file has not committed yet is not an error. A source that is not a frame
// at all is blosc2.ErrNotBlosc2.
//
// # Goroutines
//
// With one worker no goroutine is started. Else the chunks are compressed and
// decompressed by several, of which the caller is one while it waits for a
// chunk, and a source that may block is read by one more. None is left after
// Close, an error or the end; only one that is blocked in the source's Read ends
// when that returns. Where the source has a SetReadDeadline method, Close and a
// cancelled context interrupt it. With several workers, the methods of a Reader
// return at once then in any case, also while they wait for the first header.
//
// # Small frames
//
// A Writer or Reader that is used again with Reset, from a sync.Pool perhaps,
// writes or reads a frame of some hundred bytes in two or three microseconds,
// and allocates next to nothing. A chunk of less than 256 KiB that is all there
// is to compress is left to the caller, and no worker is woken; so is a frame of
// up to 256 KiB that is read from memory or a file. The frame costs 333 bytes
// beside the compressed data, and 32 less with Checks(false).
//
// # Memory
//
// A Writer or Reader holds at most
//
//	workers + 2   chunks with their compressed forms (chunk size + 32 bytes), within the limit of Memory;
//	              a Writer begins with one for each worker
//	workers       times the scratch memory below; where a chunk is shared, its compressed form once more
//	              4 MiB that are held back, in at most 8 MiB, or the spool's share of memory
//	              8 bytes for each chunk of the frame
//
// The scratch memory is two blocks (32 KiB to 1 MiB as a rule, by level and
// typesize) and what the codec needs:
//
//	           compress   decompress
//	blosclz    130 KiB    -
//	lz4         32 KiB    -
//	lz4hc      900 KiB    -
//	zlib       750 KiB    50 KiB
//	zstd         1 MiB    200 KiB; from level 7 on 1.5 MiB, and 4 bytes for each byte of a block, to compress
//
// Where no filter moves bytes, lz4hc and zstd look for values that repeat as a
// whole, and take for blocks of 32 KiB, 256 KiB and 1 MiB, to compress:
//
//	lz4hc      0.3, 2 and 5.5 MiB; from level 4 on 0.8, 4.2 and 8 MiB
//	zstd       1.1, 2 and 3 MiB; from level 3 on 1.3, 5 and 9.3 MiB, from 7 on 2, 7 and 14 MiB
//
// A Conn holds much less: see there.
//
// # Determinism
//
// The bytes that a Writer puts out depend on the data, the options, the places of
// Flush and Checkpoint, and with Auto on whether ReadFrom can look ahead in its
// source, not on the sizes of the Writes, the number of
// workers or the machine.
package stream
