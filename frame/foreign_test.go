package frame_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// Frames of ours that C-Blosc2 has edited are read as C-Blosc2 reads them. Only edits
// that keep every length look like damage.
func TestForeignEdits(t *testing.T) {
	const size = 2000
	dir := t.TempDir()
	other := func(name string, b []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, b, 0o666); err != nil {
			t.Fatal(err)
		}
		return "file:" + file
	}
	noise := make([]byte, size)
	rand.NewChaCha8([32]byte{}).Read(noise)
	full, rest, wild := other("full", ramp(size)), other("rest", ramp(600)), other("wild", noise)
	edits := map[string][]string{
		"append":         {"--append", full},
		"append zero":    {"--append", "zero:2000"},
		"append twice":   {"--append", full, "--append", rest},
		"insert":         {"--insert", "0=" + full},
		"insert noise":   {"--insert", "1=" + wild},
		"update":         {"--update", "1=" + wild},
		"update same":    {"--update", "1=" + full},
		"update zero":    {"--update", "1=zero:2000"},
		"delete first":   {"--delete", "0"},
		"delete last":    {"--delete", "3"},
		"delete all":     {"--delete", "0", "--delete", "0", "--delete", "0", "--delete", "0"},
		"metalayer":      {"--set-metalayer", "mine:=616263"},
		"new vlmeta":     {"--add-vlmetalayer", "more:=00010203"},
		"same vlmeta":    {"--set-vlmetalayer", "note:=48454c4c4f"},
		"delete vlmeta":  {"--delete-vlmetalayer", "note"},
		"mixed":          {"--append", full, "--delete", "1", "--insert", "0=" + wild, "--update", "2=zero:2000", "--set-vlmetalayer", "note:=00"},
		"delete, append": {"--delete", "0", "--delete", "0", "--delete", "0", "--delete", "0", "--append", full},
	}
	// After a short chunk, 2.17.1 appends in a way that loses chunks or sizes.
	loses := map[string]bool{"append zero": true, "append twice": true}
	mayFail := map[string]bool{"metalayer": true, "same vlmeta": true}
	read, refused, lost := 0, 0, 0
	for _, lib := range b2test.Oracles(t) {
		for _, checks := range []bool{false, true} {
			for _, whole := range []bool{false, true} { // whether the last chunk is full
				m := newMaker(t, size, building{Checks: checks}, meta.Layer{Name: "mine", Value: []byte("xyz")})
				m.b.SetVLMeta("note", []byte("hello"))
				data := ramp(4 * size)
				if !whole {
					data = data[:3*size+500]
				}
				for _, c := range cut(data, size) {
					m.chunk(c)
				}
				m.tail()
				for name, args := range edits {
					what := fmt.Sprintf("%v, %s, checks %v, whole %v", lib, name, checks, whole)
					file := write(t, m.sealed())
					if _, err := lib.RunErr(append(append([]string{"edit-frame", "--codec", "lz4", "--typesize", "4"}, args...), file)...); err != nil {
						continue // some edits are not possible with a short last chunk
					}
					want, err := lib.Decode(t, "read-frame", file)
					if err != nil {
						t.Logf("%s: it cannot read its own edit: %v", what, err)
						continue
					}
					b, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					got, f, err := readAll(b)
					if err == nil {
						_, err = f.VLMetalayers()
					}
					switch {
					case err == nil && bytes.Equal(got, want):
						read++
					case mayFail[name] && errors.Is(err, blosc2.ErrChecksum):
						refused++
					case lib.Major == 2 && !whole && loses[name] && errors.Is(err, blosc2.ErrCorrupt):
						lost++
					default:
						t.Errorf("%s: %d bytes, want %d: %v", what, len(got), len(want), err)
					}
					if w, _, err := walk(bytes.NewReader(b)); err == nil && !bytes.Equal(w, want) {
						t.Errorf("%s: walked wrong bytes", what)
					}
				}
			}
		}
	}
	t.Logf("%d edits read as the library reads them, %d that keep every length refused, %d that lose data refused", read, refused, lost)
	if read == 0 {
		t.Error("no edit was read")
	}
}
