package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/seed03b80dae/blosc2/shard"
)

// An input that is changed, cut or cannot be read while an output is made from it is
// the file that the error names, and not the output.
func TestInputChanges(t *testing.T) {
	for _, f := range []shardFlag{{}, {K: 0, N: 1}} {
		for name, test := range map[string]struct {
			change func(name string) error
			want   string
		}{
			"longer": {func(name string) error { return os.Truncate(name, 3<<20) }, errSteady.Error()},
			"cut":    {func(name string) error { return os.Truncate(name, 10) }, errSteady.Error()},
			"unreadable": {func(name string) error {
				return &fs.PathError{Op: "read", Path: name, Err: syscall.EIO}
			}, syscall.EIO.Error()},
		} {
			dir := t.TempDir()
			in, out := filepath.Join(dir, "in.f4"), filepath.Join(dir, "out")
			if err := os.WriteFile(in, make([]byte, 2<<20), 0o666); err != nil {
				t.Fatal(err)
			}
			e := &env{quiet: true}
			s, err := e.openSteady(in)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			plan, err := shard.NewPlan(2<<20, 1)
			if err != nil {
				t.Fatal(err)
			}
			read := plan.FromReaderAt(s.File)
			fill := s.guard(func(dst []byte, n int64) error {
				if err := test.change(in); err != nil {
					return err
				}
				return read(dst, n)
			})
			err = f.make(e, outFlags{Out: out}, plan, fill)
			if want := in + ": " + test.want; err == nil || err.Error() != want {
				t.Errorf("%s, %d shards: %v, want %s", name, f.N, err, want)
			}
		}
	}
}
