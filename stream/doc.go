// Package stream writes and reads Blosc2 frames front to back: a Writer takes
// bytes and puts a frame into an io.Writer, a Reader takes frames from an
// io.Reader and gives the bytes back, and a Conn does both over a connection.
// What lies between is a file that C-Blosc2 opens.
//
//	w, err := stream.NewWriter(file, stream.TypeSize(8), stream.Codec(blosc2.CodecZstd))
//	io.Copy(w, numbers)
//	err = w.Close()
//
//	r, err := stream.NewReader(file)
//	io.Copy(dst, r)
//
// # Sealed and unsealed
//
// The header of a frame stands in front and holds sizes that are known at the
// end only. Into a file the Writer puts them at Close, when the frame is
// sealed. Into a pipe or a socket it cannot, and the frame stays unsealed,
// unless it is small (up to 4 MiB without a Flush, which are held back) or
// spooled. A Reader takes both. C-Blosc2 takes sealed ones alone; frame.Seal
// finishes the others later.
//
// # Goroutines
//
// With one worker no goroutine is started. Else the chunks are compressed and
// decompressed by several, of which the caller is one while it waits for the
// others (that of a Reader where the source is memory), and none is left after
// Close, an error or the end; only one that is blocked in the source's Read ends when that returns. Where
// the source has a SetReadDeadline method, Close and a cancelled context
// interrupt it.
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
// # Determinism
//
// The bytes that a Writer puts out depend on the data, the options and the
// places of Flush and Checkpoint, not on the sizes of the Writes, the number of
// workers or the machine.
package stream
