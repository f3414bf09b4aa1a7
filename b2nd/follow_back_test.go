package b2nd_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
)

// A Follower notices that rows which it delivered were taken back and others written in
// their place, also if it knows more rows than it has delivered, and the chunks of the
// others begin where those did.
func TestFollowTakenBack(t *testing.T) {
	for layout, spec := range layouts {
		for _, all := range []bool{true, false} {
			path := filepath.Join(t.TempDir(), "rows.b2nd")
			rows := make([]byte, 500*rowLen)
			random := rand.NewChaCha8([32]byte{1})
			random.Read(rows)
			add := func(from, to int) {
				t.Helper()
				w, err := b2nd.AppendFile(path, spec)
				must(t, err)
				_, err = w.Write(rows[from*rowLen : to*rowLen])
				must(t, errors.Join(err, w.Close()))
			}
			add(0, 64)
			was, err := os.ReadFile(path)
			must(t, err)
			add(64, 400)
			f, err := b2nd.FollowFile(t.Context(), path, b2nd.KeepFollowing())
			must(t, err)
			defer f.Close()
			var got []byte
			for more := true; more; more = all && f.Rows() < 400 || f.Rows() <= 64 {
				b, err := f.Next()
				must(t, err)
				got = append(got, b...)
			}
			if !bytes.Equal(got, rows[:len(got)]) {
				t.Fatal("other rows")
			}
			must(t, os.WriteFile(path, was, 0o666))
			random.Read(rows[64*rowLen:])
			add(64, 500)
			if b, err := f.Next(); !errors.Is(err, blosc2.ErrChanged) {
				t.Errorf("%s: after %d rows, of which some were taken back: %d bytes, %v", layout, len(got)/rowLen, len(b), err)
			}
		}
	}
}
