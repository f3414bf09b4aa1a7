package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// C-Blosc2 reads the command's outputs for files with holes, sound, tables and
// typed items, although it does not know their metalayers.
func TestOracleReads(t *testing.T) {
	libs := b2test.Oracles(t)
	dir := t.TempDir()
	holes := filepath.Join(dir, "holes.f4")
	f, err := os.Create(holes)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(80 << 20); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("not zero"), 37<<20+5); err != nil {
		t.Fatal(err)
	}
	f.Close()
	sound, table, typed := filepath.Join(dir, "a.wav"), filepath.Join(dir, "a.csv"), filepath.Join(dir, "a.i2")
	for name, b := range map[string][]byte{sound: wavBytes(2, 5000), table: []byte("a,b\n1,x\n2,yy\n"), typed: bytes.Repeat([]byte("typed"), 999)} {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args    []string
		made    string
		command string
	}{
		{[]string{holes}, holes + frameSuffix, "read-frame"},
		{[]string{typed}, typed + frameSuffix, "read-frame"},
		{[]string{sound}, sound + arraySuffix, "read-b2nd"},
		{[]string{"--csv", table}, table + arraySuffix, "read-b2nd"},
	} {
		if status, text := said(t, append([]string{"-q"}, c.args...)...); status != exitDone {
			t.Fatal(text)
		}
		librariesRead(t, libs, c.command, c.made)
	}
}

// librariesRead checks that the libraries read the bytes that decompress writes, and
// returns them.
func librariesRead(t *testing.T, libs []b2test.Library, command, name string) []byte {
	t.Helper()
	raw := filepath.Join(t.TempDir(), "raw")
	if status, text := said(t, "-q", "-d", "--raw", "-o", raw, name); status != exitDone {
		t.Fatal(text)
	}
	want, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, lib := range libs {
		if got, err := lib.Decode(t, command, name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %s: %d bytes, want %d, %v", lib.Path, filepath.Base(name), len(got), len(want), err)
		}
	}
	return want
}

// C-Blosc2 reads what each verb assembles from shards.
func TestOracleReadsShards(t *testing.T) {
	libs := b2test.Oracles(t)
	dir := t.TempDir()
	const rows, columns = 90, 70
	var items []byte
	for i := range rows * columns {
		items = binary.LittleEndian.AppendUint32(items, math.Float32bits(float32(i%977)/8))
	}
	raw, array := filepath.Join(dir, "in.f4"), filepath.Join(dir, "in.b2nd")
	if err := os.WriteFile(raw, items, 0o600); err != nil {
		t.Fatal(err)
	}
	shape := []string{"--shape", fmt.Sprintf("%d,%d", rows, columns), "--dtype", "<f4"}
	convert := append(append([]string{"convert"}, shape...), "--chunks", "8,70", "--blocks", "3,20")
	if status, text := said(t, append(convert, "-q", "-o", array, raw)...); status != exitDone {
		t.Fatal(text)
	}
	var sums []byte // sums along the first dimension, as float64
	for j := range columns {
		sum := 0.0
		for i := range rows {
			sum += float64((i*columns+j)%977) / 8
		}
		sums = binary.LittleEndian.AppendUint64(sums, math.Float64bits(sum))
	}
	for _, c := range []struct {
		shards        []int
		args          []string
		file, command string
		want          []byte
	}{
		{[]int{1, 3}, []string{"compress", "--chunk", "4K"}, raw, "read-frame", items},
		{[]int{1}, append([]string{"compress"}, shape...), raw, "read-b2nd", items}, // the result has one chunk
		{[]int{1, 3}, convert, raw, "read-b2nd", items},
		{[]int{1, 3}, []string{"rechunk", "--chunks", "90,9", "--blocks", "31,4"}, array, "read-b2nd", items},
		{[]int{1}, []string{"reduce", "--sum", "--axis", "0"}, array, "read-b2nd", sums}, // the result has one chunk
	} {
		for _, shards := range c.shards {
			folder := t.TempDir()
			for k := range shards {
				if status, text := said(t, append(c.args, "-q", "--shard", fmt.Sprintf("%d/%d", k, shards), "-o", folder, c.file)...); status != exitDone {
					t.Fatal(text)
				}
			}
			out := filepath.Join(t.TempDir(), c.args[0])
			if status, text := said(t, "assemble", "-q", "-o", out, folder); status != exitDone {
				t.Fatal(text)
			}
			if got := librariesRead(t, libs, c.command, out); !bytes.Equal(got, c.want) {
				t.Errorf("%q: other items", c.args)
			}
		}
	}
}
