// Package b2nd reads, writes and changes n-dimensional arrays. An array is a
// frame with a metalayer, b2nd or its predecessor caterva, that holds its shape
// and those of its chunks and blocks.
//
//	spec, err := b2nd.SpecOf[float32](b2nd.Unknown, 3) // rows of three
//	w, err := b2nd.NewWriter(file, spec)
//	_, err = b2nd.WriteSlice(w, rows)
//	err = w.Close()
//
//	a, err := b2nd.OpenFile("a.b2nd")
//	items, err := b2nd.Read[float32](a, window)
//
// An Array reads only the blocks that hold the requested items, without digests
// (see frame.CheckWhole), and adjacent blocks of a remote source in one request.
//
// A Writer writes items in C order to any io.Writer, as rows arrive; a Reader
// reads them from any io.Reader. An Editor changes an array in its file.
//
// # Types
//
// Items are bytes of a NumPy type, in its byte order. The functions with a type
// parameter (Read, ReadInto, At, ReadField, ReadSlice, WriteSlice, Set,
// AppendSlice) convert them from and to Go values, in the byte order of the
// machine. T is a number of a fixed size, a bool, a [N]byte, or a struct of
// fields that are these, structs, or arrays of them. stream.WriteSlice
// describes how the fields of a struct are laid out, and the tags that name
// them. A T that does not fit the array results in a *blosc2.OptionError that names
// both.
package b2nd
