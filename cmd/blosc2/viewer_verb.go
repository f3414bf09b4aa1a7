package main

// viewCmd is "blosc2 view".
type viewCmd struct {
	DType string
	File  string
}

func (c *viewCmd) define(g *grammar) {
	g.StringVar(&c.DType, "dtype", "", dtypeHelp)
	g.argument(&c.File, "FILE", "Array, frame, chunk, .npy or raw file, store or folder.")
}
