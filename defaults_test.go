package blosc2_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/stream"
)

// TestDefaults compares the table in the package's documentation with the header of
// a frame written without options, and with the limits of the packages.
func TestDefaults(t *testing.T) {
	table := defaultsTable(t)
	h := defaultHeader(t)
	mib := func(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }
	for name, want := range map[string]string{
		"chunk size":         mib(int64(h.ChunkSize)),
		"block size":         map[bool]string{true: "automatic"}[h.BlockSize == 0],
		"codec":              h.Codec.String(),
		"level":              fmt.Sprint(h.Level),
		"filters":            h.Filters.String(),
		"typesize":           fmt.Sprint(h.TypeSize),
		"split":              "default",
		"checks":             map[bool]string{true: "on", false: "off"}[bytes.Contains(defaultFrame(t), []byte("B2CK\x00"))],
		"workers":            "0",
		"header threads":     fmt.Sprintf("%d, %d", h.TComp, h.TDecomp),
		"largest chunk read": mib(chunk.DefaultMaxBytes),
		"memory in flight":   mib(stream.DefaultMemory),
		"spool in memory":    mib(stream.DefaultSpool),
	} {
		got, ok := table[name]
		if !ok {
			t.Errorf("doc.go has no default for %s", name)
		}
		if rest, ok := strings.CutPrefix(got, want); want == "" || !ok || rest != "" && !strings.ContainsAny(rest[:1], " ,:") {
			t.Errorf("%s: doc.go says %q, the code %q", name, got, want)
		}
		delete(table, name)
	}
	for name := range table {
		t.Errorf("doc.go has a default for %s that is not tested", name)
	}
}

// defaultsTable reads the table in doc.go.
func defaultsTable(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return parseTable(file.Doc)
}

func parseTable(doc *ast.CommentGroup) map[string]string {
	table := map[string]string{}
	_, section, _ := strings.Cut(doc.Text(), "# Defaults\n")
	section, _, _ = strings.Cut(section, "\n# ")
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "\t") {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if ok {
			table[name] = strings.TrimSpace(value)
		}
	}
	return table
}

// defaultFrame writes a frame without any option.
func defaultFrame(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := stream.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := w.Write(bytes.Repeat([]byte("12345678"), 1<<17)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func defaultHeader(t *testing.T) *header.Header {
	t.Helper()
	b := defaultFrame(t)
	n, err := header.Size(b)
	if err != nil {
		t.Fatal(err)
	}
	h, err := header.Parse(b[:n])
	if err != nil {
		t.Fatal(err)
	}
	return h
}
