// Command blosc2-parquet turns tables of python-blosc2 into Parquet files and back.
//
//	blosc2-parquet TABLE OUT.parquet     TABLE is a .b2z, .b2d or .b2e, or STORE:/KEY
//	blosc2-parquet IN.parquet OUT.b2z
//
// It is a separate program because Arrow would double the size of blosc2 and the
// time that it takes to start.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	force := flag.Bool("f", false, "overwrite an existing file")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: blosc2-parquet [-f] TABLE OUT.parquet\n       blosc2-parquet [-f] IN.parquet OUT.b2z\n\nTABLE is a table or STORE:/KEY, where STORE ends in .b2z, .b2d or .b2e.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1), *force); err != nil {
		fmt.Fprintf(os.Stderr, "blosc2-parquet: %s: %s\n", flag.Arg(0), strings.TrimPrefix(err.Error(), "blosc2: "))
		os.Exit(1)
	}
}

func run(from, to string, force bool) error {
	if _, err := os.Lstat(to); err == nil && !force {
		return errors.New(to + " exists already; -f overwrites it")
	}
	switch {
	case filepath.Ext(to) == ".parquet":
		return export(from, to)
	case filepath.Ext(from) == ".parquet" && (filepath.Ext(to) == ".b2z" || filepath.Ext(to) == ".b2e"):
		return read(from, to)
	}
	return errors.New("one of the names must end in .parquet, the other in .b2z or .b2e")
}
