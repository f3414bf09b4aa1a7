// Package ranges describes sources that are far away, where every read waits
// for an answer and many reads at once wait no longer than one: objects in a
// store, files on a server.
//
// A source that has the method ReadRanges is read by packages frame, b2nd and
// stream with a plan: they work out which bytes they need, ask for all of them
// at once, and decode while the next ones are on their way. Any other io.ReaderAt
// is read as before. Package remote has such sources; any type with the method
// is one.
package ranges
