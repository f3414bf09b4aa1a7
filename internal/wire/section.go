package wire

//msgp:tuple Section

// A Section holds metalayers, in a header or in a trailer: the names and the
// offsets of the values, then the values.
type Section struct {
	IndexLen Uint16 // bytes of the index, counted in two ways: docs/format/frame.md §1.1 and §1.4
	Index    Index
	Values   Values
}
