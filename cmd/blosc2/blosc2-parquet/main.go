// Command blosc2-parquet turns tables of python-blosc2 into Parquet files and back.
//
//	blosc2-parquet TABLE OUT.parquet     TABLE is a .b2z, .b2d or .b2e, or STORE:/KEY
//	blosc2-parquet IN.parquet OUT.b2z
//
// The verbs convert and tree of blosc2 run it: - as the first name is the standard
// input, which must be a file, and as the second one the standard output. It is a
// separate program because Arrow would double the time that blosc2 takes to start.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

func main() {
	force := flag.Bool("f", false, "overwrite an existing file")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: blosc2-parquet [-f] TABLE OUT.parquet\n       blosc2-parquet [-f] IN.parquet OUT.b2z\n\nTABLE is a table or STORE:/KEY, where STORE ends in .b2z, .b2d or .b2e. For - as the\ninput the standard input is read, which must be a file, and for - as the output the\nstandard output is written.")
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

// run converts from, a table or a Parquet file, to the other of the two, in the file
// to.
func run(from, to string, force bool) error {
	if _, err := os.Lstat(to); err == nil && !force && to != "-" {
		return errors.New(to + " already exists; -f overwrites it")
	}
	in, err := open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	write, suffix := in.export, ".parquet"
	if in.parquet {
		write, suffix = in.read, ".b2z"
	}
	switch {
	case to == "-":
		return write(os.Stdout)
	case filepath.Ext(to) != suffix:
		return fmt.Errorf("the name of the output must end in %s, not %s", suffix, filepath.Ext(to))
	}
	return fsio.Replace(to, func(f *os.File) error { return write(f) })
}

// An input is a table or a Parquet file.
type input struct {
	name    string
	file    *os.File // nil for a folder and for STORE:/KEY
	size    int64
	parquet bool
}

// open opens an input. It recognizes a Parquet file by its first bytes.
func open(name string) (*input, error) {
	in := &input{name: name, file: os.Stdin}
	if name != "-" {
		var err error
		if in.file, err = os.Open(name); err != nil {
			if _, _, ok := splitStore(name); ok {
				return &input{name: name}, nil
			}
			return nil, err
		}
	}
	info, err := in.file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		return &input{name: name}, in.Close()
	case !info.Mode().IsRegular():
		err = errors.New("is not a regular file")
	default:
		in.size = info.Size()
		var magic [4]byte
		if _, err = in.file.ReadAt(magic[:], 0); err == io.EOF {
			err = nil
		}
		in.parquet = string(magic[:]) == "PAR1"
	}
	if err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// Close closes the file.
func (in *input) Close() error {
	if in.file == nil {
		return nil
	}
	return in.file.Close()
}
