package b2nd_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/stream"
)

// Reading a whole array compares every chunk with its digest, including those at
// its edges, where some blocks are padding; and Append does not accept damaged
// rows.
func TestDamageAtTheEdge(t *testing.T) {
	spec := b2nd.Spec{Shape: []int64{b2nd.Unknown, 7}, ItemSize: 8, ChunkShape: []int64{16, 5}, BlockShape: []int64{4, 2}}
	path := filepath.Join(t.TempDir(), "a.b2nd")
	data := newRecords().append(nil, 70)[:19*7*8]
	w, err := b2nd.AppendFile(path, spec, stream.Workers(1))
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	whole, err := os.ReadFile(path)
	must(t, err)
	readers := map[string]func(a *b2nd.Array) ([]byte, error){
		"ReadAll": func(a *b2nd.Array) ([]byte, error) { return a.ReadAll() },
		"WriteTo": func(a *b2nd.Array) ([]byte, error) {
			var out bytes.Buffer
			_, err := a.WriteTo(&out)
			return out.Bytes(), err
		},
		"Chunks": func(a *b2nd.Array) ([]byte, error) {
			for _, err := range a.Chunks(nil) {
				if err != nil {
					return nil, err
				}
			}
			return nil, io.EOF
		},
	}
	noticed, refused := 0, 0
	for at := 0; at < len(whole); at += 3 {
		b := bytes.Clone(whole)
		b[at] ^= 1 << (at % 8)
		for _, workers := range []int{1, 4} {
			a, err := b2nd.Open(bytes.NewReader(b), int64(len(b)), b2nd.Workers(workers))
			if err != nil {
				continue
			}
			for name, read := range readers {
				got, err := read(a)
				if err != nil && err != io.EOF {
					noticed++
				} else if err == nil && !bytes.Equal(got, data) {
					t.Fatalf("byte %d, %d workers: %s returns other items", at, workers, name)
				}
			}
		}
		must(t, os.WriteFile(path, b, 0o666))
		w, err := b2nd.AppendFile(path, spec, stream.Workers(1))
		if err != nil {
			refused++
			continue
		}
		_, err = w.Write(data[:7*8])
		must(t, err)
		if w.Close() != nil {
			refused++
			continue
		}
		if a, err := b2nd.OpenFile(path); err == nil {
			if got, err := a.ReadAll(); err == nil && !bytes.HasPrefix(got, data) {
				t.Fatalf("byte %d: Append takes other items for those that were written", at)
			}
			must(t, a.Close())
		}
	}
	if noticed == 0 || refused == 0 {
		t.Errorf("%d noticed, %d refused", noticed, refused)
	}
	t.Logf("%d bytes: reading fails %d times, Append %d times", len(whole), noticed, refused)
}
