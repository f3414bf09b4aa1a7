package docstest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLayersTable compares the table of packages in docs/design.md with the
// list that internal/layers enforces.
func TestLayersTable(t *testing.T) {
	code, err := os.ReadFile(filepath.Join(root, "internal", "layers", "layers_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(code), "var layers = []string{")
	list, _, ended := strings.Cut(list, "\n}")
	if !ok || !ended {
		t.Fatal("internal/layers has no list of layers")
	}
	var want, have []string
	for _, m := range regexp.MustCompile(`(?m)^\s*"([^"]+)",`).FindAllStringSubmatch(list, -1) {
		want = append(want, m[1])
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "design.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "<!-- layers -->")
	table, _, _ = strings.Cut(table, "<!-- end -->")
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(table, -1) {
		have = append(have, m[1])
	}
	if len(want) == 0 || !slices.Equal(have, want) {
		t.Errorf("docs/design.md lists the packages %q, internal/layers %q", have, want)
	}
}
