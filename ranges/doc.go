// Package ranges describes remote sources, in which a read waits for a response and
// many concurrent reads wait no longer than one: objects in a store, files on a
// server.
//
// If a source has the method ReadRanges, packages frame, b2nd and stream plan their
// reads: they determine which bytes they need, request all of them together, and
// decode while the next ones arrive. They read any other io.ReaderAt directly.
// Package remote provides such sources; any type with the method is one.
package ranges
