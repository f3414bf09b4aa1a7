package main

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/meta"
)

// These are short names for functions of package item.

func order(d meta.DType) binary.ByteOrder                { return item.Order(d) }
func real64(d meta.DType, b []byte) (f float64, ok bool) { return item.Real(d, b) }
func number(d meta.DType, b []byte) (f float64, ok bool) { return item.Number(d, b) }
func text(d meta.DType, b []byte) string                 { return item.Text(d, b) }
func quoted(d meta.DType, b []byte) string               { return item.Quoted(d, b) }
func moment(n int64, unit string) string                 { return item.Moment(n, unit) }
func characters(d meta.DType, b []byte) string           { return item.Characters(d, b) }
func printable(s string) string                          { return item.Printable(s) }
