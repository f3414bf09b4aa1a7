package items

import "io"

// Write writes all values in mem to w as stored items. n is the number of items
// written.
func (p *Plan) Write(w io.Writer, mem []byte) (n int, err error) {
	if p.Plain() {
		n, err = w.Write(mem)
		return n / p.mem, err
	}
	s := scratch.Get().(*buffer)
	defer s.free()
	for len(mem) > 0 {
		b := s.room(p, len(mem)/p.mem)
		values := len(b) / p.item
		p.Store(b, mem[:values*p.mem])
		k, err := w.Write(b)
		n += k / p.item
		if err != nil {
			return n, err
		}
		mem = mem[values*p.mem:]
	}
	return n, nil
}

// Read fills mem with values from the stored items that r returns, and reads
// fewer only at its end; if it reads none, the error is io.EOF. An end within
// an item results in io.ErrUnexpectedEOF. n counts values.
func (p *Plan) Read(r io.Reader, mem []byte) (n int, err error) {
	if p.direct {
		k, err := io.ReadFull(r, mem)
		n = k / p.mem
		p.Turn(mem[:n*p.mem])
		return n, ended(n, k%p.mem, err)
	}
	s := scratch.Get().(*buffer)
	defer s.free()
	for len(mem) > 0 && err == nil {
		b := s.room(p, len(mem)/p.mem)
		var k int
		k, err = io.ReadFull(r, b)
		values := k / p.item
		p.Load(mem[:values*p.mem], b)
		n += values
		mem = mem[values*p.mem:]
		err = ended(n, k%p.item, err)
		if n > 0 && values < len(b)/p.item {
			break
		}
	}
	return n, err
}

// ended converts the error of io.ReadFull to one about n whole values and rest
// bytes of another.
func ended(n, rest int, err error) error {
	if err != io.ErrUnexpectedEOF && err != io.EOF {
		return err
	}
	switch {
	case rest > 0:
		return io.ErrUnexpectedEOF
	case n > 0:
		return nil
	}
	return io.EOF
}
