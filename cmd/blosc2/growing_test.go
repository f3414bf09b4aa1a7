package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A file that its writer changes after it was opened is read as it was at that
// time.
func TestReadsGrowing(t *testing.T) {
	e := &env{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	log, rows := filepath.Join(t.TempDir(), "log.i8.b2frame"), filepath.Join(t.TempDir(), "rows.b2nd")
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w, err := stream.CreateFile(log, stream.TypeSize(8), stream.ChunkSize(4096))
	check(err)
	defer w.Abort(nil)
	spec, err := b2nd.SpecOf[int64](b2nd.Unknown, 2)
	check(err)
	spec.ChunkShape = []int64{256, 2}
	spec.BlockShape = []int64{32, 2}
	a, err := b2nd.CreateFile(rows, spec)
	check(err)
	defer a.Abort(nil)
	write := func(from, to int64) {
		t.Helper()
		for i := from; i < to; i++ {
			_, err := stream.WriteSlice(w, []int64{2 * i, 2*i + 1})
			check(err)
			_, err = b2nd.WriteSlice(a.Writer, []int64{2 * i, 2*i + 1})
			check(err)
		}
		check(w.Flush())
		check(a.Flush())
	}
	all := func(n int64) (b []byte) {
		for i := range 2 * n {
			b = binary.LittleEndian.AppendUint64(b, uint64(i))
		}
		return b
	}
	write(0, 700)
	for i, name := range []string{log, rows} {
		at := int64(700 * (i + 1)) // the number of rows in each file now
		v, err := e.openView(name, "", usualCheck.options(name)...)
		check(err)
		defer v.Close()
		d, err := e.openTarget(name)
		check(err)
		defer d.Close()
		write(at, at+700) // these writes finish the open chunks
		var got []byte
		check(v.pieces(v.all(), func(b []byte) error { got = append(got, b...); return nil }))
		if !bytes.Equal(got, all(at)) {
			t.Errorf("%s: %d bytes, want the %d that were flushed when it was opened", name, len(got), len(all(at)))
		}
		if name != rows {
			continue
		}
		one, err := b2nd.FromFrame(d.frame)
		check(err)
		if _, err := one.WriteTo(new(bytes.Buffer)); !errors.Is(err, blosc2.ErrChanged) {
			t.Errorf("without reading again: %v", err) // the test would otherwise prove nothing
		}
		var out bytes.Buffer
		check(decompressArray(&out, d, true, false, 1))
		if err := d.trailing(); err != nil {
			t.Errorf("what the writer has added: %v", err)
		}
		if !bytes.Equal(out.Bytes(), all(at)) {
			t.Errorf("decompressed: %d bytes, want %d", out.Len(), len(all(at)))
		}
	}
}

// Reading a file that changes continuously fails with a message for users.
func TestTooFast(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	w, err := stream.CreateFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort(nil)
	if _, err = w.Write(make([]byte, 100)); err == nil {
		err = w.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	e := &env{}
	d, err := e.openTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	synctest.Test(t, func(t *testing.T) {
		read, err := d.refreshing(func(*frame.Reader) (windowReader, error) {
			return func([]byte, b2nd.Window) error {
				return blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChanged, "call Refresh"), 3, 4)
			}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{read(nil, nil), blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChanged, "call Refresh"), 3, 4)} {
			if text := withName("log", err).Error(); !strings.HasPrefix(text, "log: changes faster than it can be read") || strings.Contains(text, "Refresh") {
				t.Error(text)
			}
		}
	})
}
