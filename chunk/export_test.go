package chunk

// EncodeRoom is like Encode, with space for n bytes, as if a chunk could be longer
// than its Bound.
func (e *Encoder) EncodeRoom(src []byte, room int) ([]byte, error) {
	c := make([]byte, room)
	e.begin(c, src)
	n, err := e.encode(c, src)
	return c[:n], err
}
