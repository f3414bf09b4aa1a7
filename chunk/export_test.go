package chunk

// EncodeRoom is like Encode, but has room bytes of memory for the chunk, which may be
// more than its Bound.
func (e *Encoder) EncodeRoom(src []byte, room int) ([]byte, error) {
	c := make([]byte, room)
	e.begin(c, src)
	n, err := e.encode(c, src)
	return c[:n], err
}
