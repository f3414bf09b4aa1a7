package table_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/containertest"
	"github.com/seed03b80dae/blosc2/internal/treetest"
	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// rowsOf returns all rows of a table as text.
func rowsOf(t testing.TB, path, key string) []string {
	t.Helper()
	s, err := tree.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tab, err := table.Open(s, key)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for r, err := range tab.Rows(0, tab.Len()) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, rowText(r))
	}
	return rows
}

// writeStore writes a store with a table at /g/t and an array next to it to a zip
// or a folder.
func writeStore(t *testing.T, path string, n int) {
	t.Helper()
	b, err := table.NewBuilder(numbered...)
	if err != nil {
		t.Fatal(err)
	}
	if err := appendNumbered(b, 0, n); err != nil {
		t.Fatal(err)
	}
	c, err := b.Contents("/g/t")
	if err != nil {
		t.Fatal(err)
	}
	c.Items = append(c.Items, tree.Bytes("/other", array(t, "<i4", []int64{3}, make([]byte, 12))))
	write := tree.WriteFile
	if filepath.Ext(path) == ".b2d" {
		write = tree.WriteFolder
	}
	if err := write(path, c); err != nil {
		t.Fatal(err)
	}
}

var numbered = []table.Spec{
	{Name: "x", Kind: table.Int64, Nullable: true}, {Name: "s", Kind: table.UTF8}, {Name: "d", Kind: table.Dictionary},
	{Name: "v", Kind: table.VLString, Nullable: true}, {Name: "n", Kind: table.NDArray, DType: "<i2", ItemShape: []int64{2}},
}

// appendNumbered adds rows whose values are computed from their numbers.
func appendNumbered(b *table.Builder, from, n int) error {
	var x []int64
	var s, d, v []string
	var a [][]byte
	var valid []bool
	for i := from; i < from+n; i++ {
		x, valid = append(x, int64(i)), append(valid, i%7 != 3)
		s, d, v = append(s, strings.Repeat("é", i%5)), append(d, fmt.Sprint("w", i%3+i/1000)), append(v, fmt.Sprint(i))
		a = append(a, []byte{byte(i), 1, byte(i >> 8), 2})
	}
	if from == 0 {
		valid = nil // so that the first null is in appended rows
	}
	return b.Append(table.Cells{Values: x, Valid: valid}, table.Cells{Values: s}, table.Cells{Values: d}, table.Cells{Values: v, Valid: valid}, table.Cells{Values: a})
}

// AppendFile adds rows to a table in a store and leaves everything else in place. It
// changes nothing if it fails.
func TestAppendFile(t *testing.T) {
	for _, name := range []string{"s.b2z", "s.b2d"} {
		path := filepath.Join(t.TempDir(), name)
		writeStore(t, path, 10)
		before, _ := os.ReadFile(path)
		other, _ := os.Stat(filepath.Join(path, "other.b2nd"))
		broken := errors.New("broken")
		for _, step := range []struct {
			from, n int
			err     error
		}{{10, 5000, nil}, {0, 0, nil}, {20000, 100, broken}, {5010, 1, nil}, {5011, 3000, nil}} {
			err := table.AppendFile(path, "/g/t", func(b *table.Builder) error {
				if step.n > 0 {
					if err := appendNumbered(b, step.from, step.n); err != nil {
						return err
					}
				}
				if b.Len() != int64(step.n) {
					t.Errorf("%d rows of %d", b.Len(), step.n)
				}
				return step.err
			})
			if !errors.Is(err, step.err) {
				t.Fatalf("%s: %v", name, err)
			}
			if err := containertest.CheckTable(os.DirFS(filepath.Dir(path)), name, "/g/t"); err != nil {
				t.Errorf("%s, %d rows more: %v", name, step.n, err)
			}
		}
		whole := filepath.Join(t.TempDir(), "w.b2z")
		b, err := table.NewBuilder(numbered...)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range [][2]int{{0, 10}, {10, 8001}} {
			if err := appendNumbered(b, part[0], part[1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.WriteFile(whole); err != nil {
			t.Fatal(err)
		}
		if got, want := rowsOf(t, path, "/g/t"), rowsOf(t, whole, "/"); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: %d rows, want %d, or others", name, len(got), len(want))
		}
		if now, _ := os.ReadFile(path); before != nil && !bytes.HasPrefix(now, before) {
			t.Error("what was in the zip is no longer there")
		}
		if now, _ := os.Stat(filepath.Join(path, "other.b2nd")); other != nil && (!os.SameFile(now, other) || !now.ModTime().Equal(other.ModTime())) {
			t.Error("a file that did not change was written")
		}
	}
	path := filepath.Join(t.TempDir(), "s.b2z")
	writeStore(t, path, 10)
	if err := table.AppendFile(path, "/other", nil); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Error(err)
	}
}

// Rows are appended to the tables of python-blosc2: each table gets its own rows again.
func TestAppendCorpus(t *testing.T) {
	count, refused := 0, 0
	for _, e := range treetest.Entries(t) {
		if e.Kind != "ctable" {
			continue
		}
		path := filepath.Join(t.TempDir(), filepath.Base(e.File(t)))
		if filepath.Ext(path) == ".b2e" {
			continue // a store in a single frame cannot be appended to
		}
		copyStore(t, e.File(t), path)
		tab := openTable(t, e)
		want := rowsOf(t, path, "/")
		err := table.AppendFile(path, "/", func(b *table.Builder) error { return b.AppendTable(tab) })
		if errors.Is(err, blosc2.ErrUnsupported) || errors.Is(err, blosc2.ErrOption) {
			t.Logf("%s: %v", e.Path, err)
			refused++
			if got := rowsOf(t, path, "/"); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s: a failure changed the table", e.Path)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		if got := rowsOf(t, path, "/"); strings.Join(got, "\n") != strings.Join(append(want, want...), "\n") {
			t.Errorf("%s: %d rows, want twice %d, or others", e.Path, len(got), len(want))
		}
		var names []string
		for _, s := range tab.Schema().Columns {
			names = append(names, s.Name)
		}
		secondReader(t, path, e, names, 2)
		if err := containertest.CheckTable(os.DirFS(filepath.Dir(path)), filepath.Base(path), ""); err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
		count++
	}
	if t.Logf("%d tables, %d refused", count, refused); count < 10 || refused > count {
		t.Errorf("%d tables, %d refused", count, refused)
	}
}

// copyStore copies a file or a folder.
func copyStore(t testing.TB, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	if info.IsDir() {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		return
	}
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A process that is killed while it appends leaves the old rows or the new ones.
func TestAppendKilled(t *testing.T) {
	const step, rounds = 500, 6
	if path := os.Getenv("BLOSC2_TEST_APPEND"); path != "" {
		for from := len(rowsOf(t, path, "/g/t")); ; from += step {
			fmt.Println(from)
			if err := table.AppendFile(path, "/g/t", func(b *table.Builder) error { return appendNumbered(b, from, step) }); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	}
	for _, name := range []string{"s.b2z", "s.b2d"} {
		path := filepath.Join(t.TempDir(), name)
		writeStore(t, path, 10)
		n, rnd := 10, rand.New(rand.NewPCG(1, 2))
		for range rounds {
			cmd := exec.Command(os.Args[0], "-test.run=^TestAppendKilled$")
			cmd.Env = append(os.Environ(), "BLOSC2_TEST_APPEND="+path)
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(out)
			var begun [2]time.Time // when two additions began: the second takes about as long as the first
			for i := range begun {
				if _, err := lines.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
				begun[i] = time.Now()
			}
			time.Sleep(time.Duration(rnd.Float64() * float64(begun[1].Sub(begun[0]))))
			cmd.Process.Kill()
			said, _ := io.ReadAll(lines)
			cmd.Wait()
			if i := bytes.IndexFunc(said, func(r rune) bool { return r != '\n' && (r < '0' || r > '9') }); i >= 0 {
				t.Fatalf("%s", said)
			}
			rows := rowsOf(t, path, "/g/t")
			if len(rows) < n || len(rows)%step != 10 {
				t.Fatalf("%s: %d rows after %d", name, len(rows), n)
			}
			n = len(rows)
			for i := 10; i < n; i++ {
				want := strconv.Itoa(i)
				if i%7 == 3 {
					want = "<nil>"
				}
				if !strings.HasPrefix(rows[i], want+"|") {
					t.Fatalf("%s: row %d of %d is %q", name, i, n, rows[i])
				}
			}
		}
		if t.Logf("%s: %d rows", name, n); n < 10+rounds*step {
			t.Errorf("%s: no rows were added", name)
		}
	}
}
