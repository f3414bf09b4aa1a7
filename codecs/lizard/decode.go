package lizard

// A Decoder decodes blocks. It keeps Huffman tables and buffers of up to 512 KiB
// between calls, so it is for one goroutine at a time. The zero value is ready for
// use.
type Decoder struct {
	huff huffReader
}

// Decode decodes the block src into dst and returns the number of bytes written,
// which is less than len(dst) if the block holds less. A block that holds more, or
// is damaged, results in blosc2.ErrCorrupt; n then counts the bytes of the sub-blocks
// before the damage. It writes nothing outside dst and keeps neither slice.
func (d *Decoder) Decode(dst, src []byte) (n int, err error) {
	if len(src) == 0 {
		return 0, corrupt("empty stream")
	}
	level := int(src[0])
	if level < MinLevel || level > MaxLevel {
		return 0, corrupt("level %d: must be %d to %d", level, MinLevel, MaxLevel)
	}
	src = src[1:]
	for len(src) > 0 {
		var used, made int
		if src[0] == rawSubBlock {
			used, made, err = d.huff.copyRaw(dst[n:], src)
		} else {
			used, made, err = d.subBlock(dst, n, src, lz4Family(level))
		}
		if err != nil {
			return n, err
		}
		src = src[used:]
		n += made
	}
	return n, nil
}

// copyRaw copies the raw sub-block at the beginning of src.
func (h *huffReader) copyRaw(dst, src []byte) (used, made int, err error) {
	raw, rest, err := h.stream(src[1:], false)
	if err == nil && len(raw) > len(dst) {
		err = corrupt("raw sub-block of %d bytes, but the output has room for %d", len(raw), len(dst))
	}
	if err != nil {
		return 0, 0, err
	}
	return len(src) - len(rest), copy(dst, raw), nil
}

// streams holds the streams of a sub-block.
type streams struct {
	off16, off24, tokens, literals []byte
}

// subBlock decodes the coded sub-block at the beginning of src to dst[at:]. Matches
// may reach back to dst[0].
func (d *Decoder) subBlock(dst []byte, at int, src []byte, lz4 bool) (used, made int, err error) {
	flags := src[0]
	if flags&(flagLengths|rawSubBlock) != 0 {
		return 0, 0, corrupt("invalid sub-block flags %#02x", flags)
	}
	rest := src[1:]
	var s streams
	var lengths []byte
	d.huff.reset()
	for _, part := range []struct {
		stream *[]byte
		coded  bool
	}{
		{&lengths, false},
		{&s.off16, flags&flagOff16 != 0},
		{&s.off24, flags&flagOff24 != 0},
		{&s.tokens, flags&flagTokens != 0},
		{&s.literals, flags&flagLiterals != 0},
	} {
		if *part.stream, rest, err = d.huff.stream(rest, part.coded); err != nil {
			return 0, 0, err
		}
	}
	end := at
	if lz4 {
		end, err = decodeLZ4(dst, at, &s)
	} else {
		end, err = decodeLIZ(dst, at, &s)
	}
	if err != nil {
		return 0, 0, err
	}
	return len(src) - len(rest), end - at, nil
}
