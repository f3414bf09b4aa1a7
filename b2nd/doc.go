// Package b2nd reads, writes and changes n-dimensional arrays. An array is a
// frame with a metalayer, b2nd or its predecessor caterva, that holds its shape
// and how it is cut into chunks, and those into blocks.
//
//	spec, err := b2nd.SpecOf[float32](b2nd.Unknown, 3) // rows of three
//	w, err := b2nd.NewWriter(file, spec)
//	_, err = b2nd.WriteSlice(w, rows)
//	err = w.Close()
//
//	a, err := b2nd.OpenFile("a.b2nd")
//	items, err := b2nd.Read[float32](a, window)
//
// An Array reads the blocks that hold the items it is asked for. Its source may be
// far away: the index is read once, and blocks that lie together are one read.
//
// A Writer takes items in C order, as rows come, into any io.Writer; a Reader returns
// them from any io.Reader. An Editor changes an array in its file.
//
// # Types
//
// Items are bytes of a NumPy type, in the order that it says. The functions with
// a type parameter (Read, ReadInto, At, ReadField, ReadSlice, WriteSlice, Set,
// AppendSlice) convert them from and to values of Go, in the order of the machine.
// T is a number of a fixed size, a bool, a [N]byte, or a struct of fields that
// are these, structs, or arrays of them. stream.WriteSlice describes how the
// fields of a struct are laid out, and the tags that name them. A T that does not
// fit the array is a *blosc2.OptionError that names both.
package b2nd
