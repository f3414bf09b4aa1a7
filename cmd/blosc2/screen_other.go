//go:build !unix

package main

import "os"

// cellPixels returns 0, which means that the size is not known.
func cellPixels(*os.File) (w, h int) { return 0, 0 }

// answer returns "", because this system cannot ask the terminal.
func (e *env) answer(string) string { return "" }
