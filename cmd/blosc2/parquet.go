package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/tree"
)

// Parquet files end in parquetSuffix and begin with parquetMagic. Another program reads
// and writes them because Arrow would double the time that this one takes to start.
const (
	parquetSuffix  = ".parquet"
	parquetMagic   = "PAR1"
	parquetProgram = "blosc2-parquet"
)

// isParquet reports whether a name has the suffix of Parquet files.
func isParquet(name string) bool { return filepath.Ext(localName(name)) == parquetSuffix }

// runParquet reads a table and writes it as a Parquet file, or reads a Parquet file and
// writes it as a table. It reads stdin if that is not nil, and the file called from
// otherwise.
func runParquet(from string, stdin *os.File, to io.Writer) error {
	program, err := driver.Find(parquetProgram)
	if err != nil {
		return driver.Missing(parquetProgram, "Parquet files", "cmd/blosc2")
	}
	name := from
	if stdin != nil {
		name = "-"
	}
	var said bytes.Buffer
	out := &errorKeeper{Writer: to}
	cmd := exec.Command(program, "--", name, "-")
	cmd.Stdout, cmd.Stderr = out, &said
	if stdin != nil {
		cmd.Stdin = stdin
	}
	err = cmd.Run()
	switch text, ours := strings.CutPrefix(strings.TrimSpace(said.String()), parquetProgram+": "+name+": "); {
	case out.err != nil:
		return out.err // the program failed because it could not write to out
	case err != nil && ours:
		return errors.New(text)
	case err != nil && text != "":
		return errors.New(parquetProgram + ": " + text)
	}
	return err
}

// An errorKeeper is a writer that keeps the error of its last failed write.
type errorKeeper struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (w *errorKeeper) Write(b []byte) (n int, err error) {
	n, err = w.Writer.Write(b)
	if err != nil {
		w.err = err
	}
	return n, err
}

// parquet converts a table to a Parquet file, or a Parquet file to a table.
func (c *convertCmd) parquet(e *env) error {
	to := c.Out
	if to == "" {
		to = "-"
	}
	switch {
	case c.shardFlag.given():
		return misusef("--shard: Parquet files have no shards")
	case isParquet(c.File) && to != "-" && filepath.Ext(to) != ".b2z":
		return misusef("-o %s: must end in .b2z, as a Parquet file becomes a table; \"blosc2 tree\" puts it into other stores", to)
	}
	from, err := c.localCopy(e)
	if err != nil {
		return withName(c.File, err)
	}
	if from != nil {
		defer from.Close()
	}
	flags := c.outFlags
	flags.KeepPartial = false // the beginning of a Parquet file is not a valid file
	out, err := e.create(to, flags)
	if err != nil {
		return err
	}
	if err := runParquet(c.File, from, out.writer()); err != nil {
		return e.abandon(out, c.File, 0, err)
	}
	return e.commit(out)
}

// localCopy returns a temporary copy of the input if that is on a server or the
// standard input, and nil if it is a local file.
func (c *convertCmd) localCopy(e *env) (*os.File, error) {
	if name, _, _ := splitStore(c.File); !isURL(name) && name != "-" {
		return nil, nil
	}
	s, n, err := e.openNode(c.File)
	if err != nil {
		return nil, err
	}
	if s == nil {
		in, err := e.openInput(c.File)
		if err != nil {
			return nil, err
		}
		defer in.File.Close()
		return spool(in.File)
	}
	defer s.Close()
	if n.Kind() != tree.KindTable {
		return nil, fmt.Errorf("is not a table, but %s", n.Kind())
	}
	return spooled(func(to *os.File) error { return copyTable(to, n) })
}
