// Package docstest_test checks the references in documents and comments: links,
// anchors, sections, files, and the tests and flags of commands.
package docstest_test

import (
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	inlineCode = regexp.MustCompile("`[^`\n]*`")
	link       = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	image      = regexp.MustCompile(`<img[^>]* src="([^"]+)"`)
)

// TestLinks checks that the targets of links within the repository exist, with
// their anchors.
func TestLinks(t *testing.T) {
	tr := load(t)
	links := 0
	for name, d := range tr.docs {
		text := inlineCode.ReplaceAllString(d.text, "")
		for _, m := range append(link.FindAllStringSubmatch(text, -1), image.FindAllStringSubmatch(text, -1)...) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			links++
			to := name
			if target != "" {
				to = path.Join(path.Dir(name), target)
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); err != nil {
				t.Errorf("%s: link to %s: there is no %s", name, m[1], to)
				continue
			}
			if anchor != "" && !tr.docs[to].anchors[anchor] {
				t.Errorf("%s: link to %s: %s has no heading for #%s", name, m[1], to, anchor)
			}
		}
	}
	if links == 0 {
		t.Error("no links found")
	}
}

// sourceFile matches a file of ours in inline code, with or without its folder.
var sourceFile = regexp.MustCompile("`([a-z0-9./][a-z0-9_/.-]*\\.(?:go|s|md|mod))`")

// TestFiles checks that files which documents name in inline code exist.
func TestFiles(t *testing.T) {
	tr := load(t)
	for name, d := range tr.docs {
		if name == "CHANGELOG.md" { // it describes earlier versions, whose files may be gone
			continue
		}
		for _, m := range sourceFile.FindAllStringSubmatch(d.text, -1) {
			if !tr.has(path.Dir(name), m[1]) {
				t.Errorf("%s: there is no file %s", name, m[1])
			}
		}
	}
}

// chapters holds the documents to which sections refer that packages cite without a
// file. The package comments name these documents.
var chapters = map[string]string{"filters": "docs/format/filters.md"}

// TestDocumentCitations checks citations of sections in documents.
func TestDocumentCitations(t *testing.T) {
	tr := load(t)
	for name, d := range tr.docs {
		if name == "CHANGELOG.md" {
			continue
		}
		text := inlineCode.ReplaceAllStringFunc(d.text, func(s string) string {
			if strings.Contains(s, "§") { // the text shows how citations are written
				return ""
			}
			return strings.Trim(s, "`")
		})
		tr.check(t, name, path.Dir(name), text, d)
	}
}

// TestCommentCitations checks citations of documents in comments of Go and
// assembly. A citation may continue on the next line of a comment.
func TestCommentCitations(t *testing.T) {
	tr := load(t)
	n := 0
	for name := range tr.files {
		var comments []string
		switch path.Ext(name) {
		case ".go":
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(name)), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Error(err)
				continue
			}
			for _, c := range f.Comments {
				comments = append(comments, c.Text())
			}
		case ".s", ".h":
			b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(b)) {
				if _, c, ok := strings.Cut(line, "//"); ok {
					comments = append(comments, c)
				}
			}
			comments = []string{strings.Join(comments, " ")}
		}
		for _, c := range comments {
			c = strings.Join(strings.Fields(c), " ")
			if strings.Contains(c, "DESIGN") {
				t.Errorf("%s: cites DESIGN, which is not in this repository", name)
			}
			n += tr.check(t, name, path.Dir(name), c, tr.docs[chapters[path.Dir(name)]])
		}
	}
	if n < 20 {
		t.Errorf("found %d citations: they are not looked for where they are", n)
	}
	t.Logf("%d citations", n)
}
