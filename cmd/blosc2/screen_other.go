//go:build !unix

package main

import "os"

// cellPixels returns 0: the size is not known.
func cellPixels(*os.File) (w, h int) { return 0, 0 }

// answer returns "": the terminal is not asked.
func (e *env) answer(string) string { return "" }
