package wire

//msgp:tuple Section

// A Section is how metalayers are kept, in a header and in a trailer: the names
// and where each value is, then the values.
type Section struct {
	IndexLen Uint16 // bytes of the index, counted in two ways: docs/format/frame.md §1.1 and §1.4
	Index    Index
	Values   Values
}
