package main

import (
	"bufio"
	"cmp"
	"io"

	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

// beginning prints the items of a truncated frame that precede the truncation, and
// returns an error about the truncation, as decompress does. For any other file it
// returns cause.
func (c *catCmd) beginning(e *env, to io.Writer, file string, cause error) error {
	src, err := e.openSource(file, 0)
	if src != nil {
		defer src.Close()
	}
	if err != nil || src.kind != kindFrame || src.proxy {
		return cause
	}
	r, err := stream.NewReader(src.Reader)
	if err != nil {
		return cause
	}
	defer r.Close()
	d, err := c.itemsOf(r, file)
	if err != nil {
		return cause
	}
	out := bufio.NewWriter(to)
	p := newPrinter(out, nil, c.CSV)
	if c.CSV {
		if err := p.names(csvHeader(d)); err != nil {
			return withName("-", err)
		}
	}
	buf := make([]byte, max(pieceBytes/d.Size, 1)*d.Size)
	good, text, lines := int64(0), false, e.textTo(out)
	for err == nil {
		n := 0
		for n < len(buf) && err == nil {
			var k int
			k, err = r.Read(buf[n:])
			n += k
		}
		if good == 0 {
			text = c.text && c.DType == "" && d.Kind == meta.Void && beginsText(buf[:min(n, textLen)])
		}
		good += int64(n)
		var errOut error
		switch {
		case text:
			if _, errOut = lines.Write(buf[:n]); err != nil {
				errOut = cmp.Or(errOut, lines.Close())
			}
		case c.Raw:
			_, errOut = out.Write(buf[:n])
		default:
			errOut = c.printItems(p, d, buf[:n])
		}
		if errOut == nil {
			errOut = p.flush(out)
		}
		if left(errOut) {
			return nil
		}
		if errOut != nil {
			return withName("-", errOut)
		}
	}
	if err == io.EOF { // all items are present; only data after them are missing
		return cause
	}
	return &fileError{file, src.unfinished(err), intact(good)}
}

// itemsOf returns the type of the items of a stream.
func (c *catCmd) itemsOf(r *stream.Reader, file string) (meta.DType, error) {
	h, err := r.Header()
	if err != nil {
		return meta.DType{}, err
	}
	base, _ := cutSuffix(file)
	if name := cmp.Or(c.DType, dtypeOfStream(r), suffixDType(base)); name != "" {
		return parseDType(name)
	}
	return meta.DType{Kind: meta.Void, Order: '|', Size: max(int(h.TypeSize), 1)}, nil
}
