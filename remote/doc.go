// Package remote reads remote frames and arrays, and writes them to object stores,
// without temporary files.
//
// # Reading
//
// Open opens an http or https URL, FromFile a file of any io/fs, and New the object of
// a Backend; the modules below this package provide Backends for object stores. An
// Object is a ranges.ReaderAt: packages frame and b2nd request all they need together,
// and stream.NewReader reads ahead.
//
//	o, err := remote.Open(ctx, "https://example.com/data.b2nd")
//	…
//	a, err := b2nd.Open(o, o.Size())
//
// Opening an array takes two requests: the first 64 KiB, with the size and the ETag in
// the answer, and the bytes after the chunks; an object of up to 64 KiB takes one. A
// window takes two waves of requests: the heads of its chunks, and its blocks. A Cache
// keeps the bytes that were read.
//
// An Object is one version of the object at its URL. All requests but the first require
// that version; if it was replaced, the error is blosc2.ErrChanged, so versions are
// never mixed. Temporary failures (429, 500, 502, 503, 504, timeouts, bodies that end
// early) are retried; an interrupted body is resumed.
//
// # Writing
//
// An object in a store cannot be changed, and the header of a frame holds its sizes.
// But most stores accept an object in parts, in any order, so an Upload keeps the first
// part, with the header, until Close. Create returns a stream.Writer to an Upload,
// CreateArray a b2nd.Writer. The object appears, sealed, only if Close succeeds.
package remote
