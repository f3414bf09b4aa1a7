package main

import (
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/meta"
)

// These are short names for functions of package item.

func real64(d meta.DType, b []byte) (f float64, ok bool) { return item.Real(d, b) }
func number(d meta.DType, b []byte) (f float64, ok bool) { return item.Number(d, b) }
func text(d meta.DType, b []byte) string                 { return item.Text(d, b) }
func printable(s string) string                          { return item.Printable(s) }
