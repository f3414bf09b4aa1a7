package main

import (
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/npy"
)

// sliceCmd is "blosc2 slice".
type sliceCmd struct {
	outFlags
	checkFlag
	Raw    bool
	DType  string
	File   string
	Window string
}

func (c *sliceCmd) define(g *grammar) {
	c.outFlags.define(g)
	g.BoolVar(&c.Raw, "raw", false, "Write the bytes in C order instead of a .npy file.")
	c.checkFlag.define(g)
	g.StringVar(&c.DType, "dtype", "", dtypeHelp)
	g.argument(&c.File, "FILE", viewHelp)
	g.argument(&c.Window, "WINDOW", windowHelp+".")
}

// Run writes a window of the file.
func (c *sliceCmd) Run(e *env) error {
	v, err := e.openAll(c.File, c.DType, c.options(c.File)...)
	if err != nil {
		return err
	}
	defer v.Close()
	w, err := v.window(c.Window)
	if err != nil {
		return err
	}
	out, err := e.create(c.Out, c.outFlags)
	if err != nil {
		return err
	}
	bar := e.newBar(c.File, w.bytes())
	defer bar.end()
	good := &counter{Writer: out.File, watch: bar.add}
	if err := c.write(good, w.dtype, w.Shape(), func(each func([]byte) error) error { return v.pieces(w, each) }); err != nil {
		return e.abandon(out, c.File, good.n, err)
	}
	bar.end()
	if err := e.commit(out); err != nil {
		return err
	}
	if out.name != "-" {
		e.note("%s: %s of %s in %s", c.File, times(w.Shape()), w.dtype, out.name)
	}
	return nil
}

func (c *sliceCmd) write(w *counter, dtype meta.DType, shape []int64, pieces func(func([]byte) error) error) error {
	put := func(b []byte) error { _, err := w.Write(b); return err }
	if !c.Raw {
		h := npy.Header{DType: dtype.String(), Shape: shape}
		b, err := h.Append(nil)
		if err != nil {
			return err
		}
		if err := put(b); err != nil {
			return err
		}
	}
	return pieces(put)
}
