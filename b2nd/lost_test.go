package b2nd_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// Damage to flushed rows is reported: the Array is shorter and Lost returns an error,
// Append does not overwrite intact rows after the damaged ones, and Repair saves the
// intact rows.
func TestLostRows(t *testing.T) {
	for name, spec := range layouts {
		for _, committed := range []int{0, 100} {
			name, dir := fmt.Sprintf("%s, %d rows committed", name, committed), t.TempDir()
			path := filepath.Join(dir, "log")
			w, err := b2nd.AppendFile(path, spec, stream.Workers(1))
			must(t, err)
			data := newRecords().append(nil, 300)
			rows := len(data) / rowLen
			write := func(from, to int) {
				_, err := w.Write(data[from*rowLen : to*rowLen])
				must(t, err)
				must(t, w.Flush())
			}
			if committed > 0 {
				write(0, committed)
				must(t, w.Checkpoint())
			}
			write(committed, 230)
			write(230, rows)
			whole, err := os.ReadFile(path)
			must(t, err)
			w.Abort(errors.New("killed"))
			var errs, shorter, refused, notSaved int
			for at := 0; at < len(whole); at += 17 {
				b := bytes.Clone(whole)
				b[at] ^= 1 << (at * 5 % 8)
				where := fmt.Sprintf("%s: byte %d", name, at)
				a, err := b2nd.Open(bytes.NewReader(b), int64(len(b)), b2nd.FrameOptions(frame.AllowTorn()))
				if err != nil {
					errs++
					continue
				}
				lost := a.Frame().Lost()
				if n := a.Shape()[0]; n > int64(rows) || n < int64(rows) && lost == nil {
					t.Errorf("%s: %d rows of %d, and nothing is lost", where, n, rows)
				}
				if lost == nil {
					continue
				}
				shorter++
				if rep, err := frame.Verify(bytes.NewReader(b), int64(len(b))); err != nil || rep.Sound() {
					t.Errorf("%s: Verify finds nothing: %v", where, err)
				}
				torn := filepath.Join(dir, "torn")
				must(t, os.WriteFile(torn, b, 0o666))
				w, err := b2nd.AppendFile(torn, spec, stream.Workers(1))
				if err != nil {
					refused++
					if now, err := os.ReadFile(torn); err != nil || !bytes.Equal(now, b) {
						t.Errorf("%s: refused, but changed", where)
					}
					if w, err = b2nd.AppendFile(torn, spec, stream.Workers(1), stream.DropDamaged()); err != nil {
						t.Errorf("%s: %v", where, err)
						continue
					}
				} else if int64(rows)-a.Shape()[0] > spec.ChunkShape[0] {
					t.Errorf("%s: gone on at %d, before %v", where, a.Shape()[0], lost)
				}
				if w.Lost() == nil {
					t.Errorf("%s: gone on without a word", where)
				}
				_, err = w.Write(data[:rowLen])
				must(t, errors.Join(err, w.Close()))
				now, err := b2nd.OpenFile(torn)
				if err != nil {
					t.Errorf("%s: gone on: %v", where, err)
					continue
				}
				if now.Shape()[0] != a.Shape()[0]+1 || now.Frame().Lost() != nil {
					t.Errorf("%s: gone on at %d, now %d rows, lost %v", where, a.Shape()[0], now.Shape()[0], now.Frame().Lost())
				}
				must(t, now.Close())
				out, err := os.Create(filepath.Join(dir, "saved"))
				must(t, err)
				rep, err := frame.Repair(out, bytes.NewReader(b), int64(len(b)))
				must(t, errors.Join(err, out.Close()))
				saved, err := b2nd.OpenFile(out.Name())
				if err != nil {
					t.Errorf("%s: repaired: %v", where, err)
					continue
				}
				if n := saved.Shape()[0]; n < a.Shape()[0] || n < int64(rows) && rep.Complete() {
					t.Errorf("%s: repair saves %d rows of %d: %+v", where, n, rows, rep)
				} else if n < int64(rows) {
					notSaved++
				}
				must(t, saved.Close())
			}
			t.Logf("%s: %d bytes, %d are errors, %d lose something, of which %d are refused and %d lose their place", name, len(whole), errs, shorter, refused, notSaved)
		}
	}
}

// Damage to the committed rows of the open slab loses the chunks of that slab.
func TestLostCommittedRows(t *testing.T) {
	for name, spec := range layouts {
		dir := t.TempDir()
		path := filepath.Join(dir, "log")
		w, err := b2nd.AppendFile(path, spec, stream.Workers(1))
		must(t, err)
		data := newRecords().append(nil, int(2*spec.ChunkShape[0])+3)
		rows := len(data) / rowLen
		_, err = w.Write(data[:(rows-1)*rowLen])
		must(t, errors.Join(err, w.Checkpoint()))
		_, err = w.Write(data[(rows-1)*rowLen:])
		must(t, errors.Join(err, w.Flush()))
		whole, err := os.ReadFile(path)
		must(t, err)
		w.Abort(errors.New("killed"))
		a, err := b2nd.Open(bytes.NewReader(whole), int64(len(whole)), b2nd.FrameOptions(frame.AllowTorn()))
		must(t, err)
		slab := a.Frame().NumChunks() / 3 // number of chunks of a slab
		damaged := 0
		for at := range whole {
			b := bytes.Clone(whole)
			b[at] ^= 1 << (at % 8)
			a, err := b2nd.Open(bytes.NewReader(b), int64(len(b)), b2nd.FrameOptions(frame.AllowTorn()))
			if err != nil || a.Frame().Lost() == nil || a.Shape()[0] != int64(rows-1) {
				continue
			}
			f := a.Frame()
			if _, err := f.Chunk(nil, f.NumChunks()-1); err == nil {
				continue // the damage is in the flushed row
			}
			damaged++
			full := 2 * spec.ChunkShape[0]
			got := make([]byte, full*int64(rowLen))
			start, stop := make([]int64, len(a.Shape())), a.Shape()
			stop[0] = full
			if err := a.ReadSlice(got, start, stop); err != nil || !bytes.Equal(got, data[:len(got)]) {
				t.Errorf("%s: byte %d: the rows before: %v", name, at, err)
			}
			for n := range slab {
				if _, err := f.Chunk(nil, f.NumChunks()-1-n); !errors.Is(err, blosc2.ErrChecksum) {
					t.Errorf("%s: byte %d: chunk %d from the end: %v", name, at, n, err)
				}
			}
			torn := filepath.Join(dir, "torn")
			must(t, os.WriteFile(torn, b, 0o666))
			if _, err := b2nd.AppendFile(torn, spec, stream.Workers(1), stream.DropDamaged()); !errors.Is(err, blosc2.ErrChecksum) {
				t.Errorf("%s: byte %d: Append: %v", name, at, err)
			}
			out, err := os.Create(filepath.Join(dir, "saved"))
			must(t, err)
			rep, err := frame.Repair(out, bytes.NewReader(b), int64(len(b)))
			must(t, errors.Join(err, out.Close()))
			saved, err := b2nd.OpenFile(out.Name())
			if err != nil {
				t.Errorf("%s: byte %d: repaired: %v", name, at, err)
				continue
			}
			clear(got)
			if err := saved.ReadSlice(got, start, stop); err != nil || !bytes.Equal(got, data[:len(got)]) || int64(len(rep.Lost)) != slab {
				t.Errorf("%s: byte %d: repair loses %v: %v", name, at, rep.Lost, err)
			}
			must(t, saved.Close())
		}
		if damaged < rowLen*2 {
			t.Errorf("%s: %d bytes of committed open rows", name, damaged)
		}
		t.Logf("%s: %d bytes, of which damage in %d costs the open slab", name, len(whole), damaged)
	}
}
