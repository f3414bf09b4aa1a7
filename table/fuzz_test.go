package table_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// readTable reads everything that can be read in a table.
func readTable(b []byte) {
	s, err := tree.Open(bytes.NewReader(b), int64(len(b)), tree.MaxMembers(1000), tree.FrameOptions(frame.WithLimits(frame.Limits{Chunk: 1 << 20, Header: 1 << 16, Index: 1 << 16, Trailer: 1 << 16})))
	if err != nil {
		return
	}
	tab, err := table.Open(s, "/")
	if err != nil {
		return
	}
	for i := range tab.Schema().Columns {
		c, err := tab.Column(tab.Schema().Columns[i].Name)
		if err != nil {
			continue
		}
		for r, err := range tab.Rows(0, min(tab.Len(), 1000), c.Spec().Name) {
			if err == nil {
				r.Value(0)
			}
		}
	}
}

// FuzzTable checks that reading arbitrary bytes as a table does not panic and costs little.
func FuzzTable(f *testing.F) {
	if b2test.HasCorpus(f) {
		paths, err := filepath.Glob(filepath.Join(b2test.Shared(f), "corpus", "neighbours", "trees", "ctable", "*.b2[ze]"))
		if err != nil || len(paths) == 0 {
			f.Fatal(err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			if len(b) < 16<<10 {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		end := b2test.Cost(t)
		readTable(b)
		end()
	})
}

// FuzzSchema checks that any schema is parsed or rejected.
func FuzzSchema(f *testing.F) {
	for _, s := range []string{
		`{"version": 1, "columns": [{"name": "a", "kind": "float32", "nullable": true, "null_value": NaN}]}`,
		`{"version": 1, "columns": [{"name": "NaN\"", "kind": "float64", "null_value": -Infinity}, {"name": "b", "kind": "list", "item": {"kind": "int8"}}]}`,
		`{"version": 3, "columns": [{"name": "b", "kind": "bytes", "null_value": {"__bytes__": true, "base64": "AAE="}}], "computed_columns": [{"name": "c"}]}`,
		`{"version": 3, "columns": [{"name": "z", "kind": "complex64", "null_value": {"__complex__": true, "real": NaN, "imag": 1}}]}`,
	} {
		if _, err := table.ParseSchema([]byte(s)); err != nil {
			f.Error(s, err)
		}
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		end := b2test.Cost(t)
		if s, err := table.ParseSchema(b); err == nil && (s.Version < 1 || s.Version > 3) {
			t.Errorf("version %d", s.Version)
		}
		end()
	})
}

// FuzzCSV checks that any CSV is parsed or rejected.
func FuzzCSV(f *testing.F) {
	f.Add("x,s\n1,\"a\"\"\nb\"\n,\n")
	f.Fuzz(func(t *testing.T, text string) {
		end := b2test.Cost(t)
		defer end()
		specs, err := table.InferCSV(strings.NewReader(text))
		if err != nil || len(specs) > 20 {
			return
		}
		b, err := table.NewBuilder(specs...)
		if err != nil {
			return
		}
		n, err := b.AppendCSV(strings.NewReader(text))
		if err == nil && n != b.Len() {
			t.Errorf("%d rows of %d", n, b.Len())
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
}

// craft makes a table of one column from frames and a schema.
func craft(t *testing.T, schema string, valid []byte, frames map[string][]byte) []byte {
	t.Helper()
	m, err := tree.EmptyFrame(meta.Map{{Key: "kind", Value: "ctable"}, {Key: "version", Value: 1}, {Key: "schema", Value: schema}})
	if err != nil {
		t.Fatal(err)
	}
	c := tree.Contents{Items: []tree.Item{tree.Bytes("/_meta", m), tree.Bytes("/_valid_rows", valid)}}
	for key, f := range frames {
		c.Items = append(c.Items, tree.Bytes(key, f))
	}
	var buf bytes.Buffer
	if err := tree.Write(&buf, c); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// Tables that contradict their metadata return typed errors.
func TestHostile(t *testing.T) {
	var huge bytes.Buffer
	if err := b2nd.Zeros(&huge, b2nd.Spec{Shape: []int64{1 << 40}, DType: "|b1"}); err != nil {
		t.Fatal(err)
	}
	one := array(t, "|b1", []int64{3}, []byte{1, 0, 1})
	offsets := func(n ...byte) []byte {
		b := make([]byte, 8*len(n))
		for i, v := range n {
			b[8*i] = v
		}
		return array(t, "<i8", []int64{int64(len(n))}, b)
	}
	const text = `{"version": 1, "columns": [{"name": "c", "kind": "utf8"}]}`
	const number = `{"version": 1, "columns": [{"name": "c", "kind": "int32"}]}`
	const coded = `{"version": 1, "columns": [{"name": "c", "kind": "dictionary"}]}`
	for _, c := range []struct {
		what, schema string
		valid        []byte
		frames       map[string][]byte
		want         error
	}{
		{"more places than the limit", number, huge.Bytes(), nil, blosc2.ErrTooLarge},
		{"column missing", number, one, nil, blosc2.ErrCorrupt},
		{"column short", number, one, map[string][]byte{"/_cols/c": array(t, "<i4", []int64{2}, make([]byte, 8))}, blosc2.ErrCorrupt},
		{"column of another type", number, one, map[string][]byte{"/_cols/c": array(t, "<i8", []int64{3}, make([]byte, 24))}, blosc2.ErrCorrupt},
		{"column of two dimensions", number, one, map[string][]byte{"/_cols/c": array(t, "<i4", []int64{3, 1}, make([]byte, 12))}, blosc2.ErrCorrupt},
		{"offsets beyond the bytes", text, one, map[string][]byte{"/_cols/c": offsets(0, 1, 2, 9), "/_cols/c.utf8": array(t, "|u1", []int64{3}, []byte("abc"))}, blosc2.ErrCorrupt},
		{"offsets that go back", text, one, map[string][]byte{"/_cols/c": offsets(0, 3, 1, 3), "/_cols/c.utf8": array(t, "|u1", []int64{3}, []byte("abc"))}, blosc2.ErrCorrupt},
		{"no bytes", text, one, map[string][]byte{"/_cols/c": offsets(0, 1, 2, 3)}, blosc2.ErrCorrupt},
		{"no words", coded, one, map[string][]byte{"/_cols/c": array(t, "<i4", []int64{3}, make([]byte, 12))}, blosc2.ErrCorrupt},
		{"schema of version 4", `{"version": 4, "columns": []}`, one, nil, blosc2.ErrUnsupported},
		{"no schema", `{`, one, nil, blosc2.ErrCorrupt},
		{"unknown kind", `{"version": 1, "columns": [{"name": "c", "kind": "int128"}]}`, one, nil, blosc2.ErrUnsupported},
		{"a column twice", `{"version": 1, "columns": [{"name": "c", "kind": "int8"}, {"name": "c", "kind": "int8"}]}`, one, nil, blosc2.ErrCorrupt},
		{"path that climbs", `{"version": 1, "columns": [{"name": "..", "kind": "int8"}]}`, one, nil, nil},
	} {
		b := craft(t, c.schema, c.valid, c.frames)
		s, err := tree.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		tab, err := table.Open(s, "/")
		if err == nil {
			for _, e := range tab.Rows(0, tab.Len()) {
				if e != nil {
					err = e
				}
			}
		}
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}
