// Package ranges describes remote sources, where a read waits for an answer and
// many concurrent reads wait no longer than one: objects in a store, files on a
// server.
//
// If a source has the method ReadRanges, packages frame, b2nd and stream plan
// their reads: they compute which bytes they need, request all of them
// together, and decode while the next ones arrive. They read any other
// io.ReaderAt as usual. Package remote has such sources; any type with the
// method is one.
package ranges
