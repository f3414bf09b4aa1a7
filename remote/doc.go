// Package remote reads frames and arrays that are far away, and writes them into
// object stores, without temporary files.
//
// # Reading
//
// Open opens what an http or https URL names, File a file of any io/fs, and New
// whatever a Backend reads; the modules below this package have those of object
// stores. An Object is a ranges.ReaderAt: packages frame and b2nd ask it for all
// they need at once, and stream.NewReader reads it ahead.
//
//	o, err := remote.Open(ctx, "https://example.com/data.b2nd")
//	…
//	a, err := b2nd.Open(o, o.Size())
//
// Opening an array takes two requests: the first 64 KiB, of which the answer
// also has the size and the ETag, and what follows the chunks. A window takes two
// waves of requests: the heads of its chunks, and its blocks. What was read stays
// in a Cache.
//
// An Object is one version of what its URL names. All requests but the first
// demand that version, and where there is another one by now the error is
// blosc2.ErrChanged: nothing is ever put together from two versions. Answers
// that may be better next time (429, 500, 502, 503, 504, timeouts, bodies that
// end early) are asked for again; a body is resumed where it broke off.
//
// # Writing
//
// An object of a store cannot be changed, and the header of a frame holds its
// sizes. But most stores take an object in parts, in any order: an Upload holds
// the first part, which has the header, back until Close. Create returns a
// stream.Writer of one, CreateArray a b2nd.Writer. The object appears, sealed,
// when Close has succeeded, and not otherwise.
package remote
