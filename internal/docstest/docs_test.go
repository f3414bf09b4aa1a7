// Package docstest_test checks the references in documents and comments: links,
// anchors, sections, files, and the tests and flags of commands.
package docstest_test

import (
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A tree is the repository's files, by their slash-separated path.
type tree struct {
	files map[string]bool
	docs  map[string]*document // the Markdown files
}

// A document holds the parts of a Markdown file to which others can refer.
type document struct {
	raw      string
	text     string // text of the document without code blocks
	anchors  map[string]bool
	sections map[string]bool // numbers of headings, and of traps: "5.2", "T1"
}

const root = "../.."

func load(t *testing.T) *tree {
	t.Helper()
	tr := &tree{map[string]bool{}, map[string]*document{}}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) { // another test that runs at the same time removed the file
				return nil
			}
			return err
		}
		base := d.Name()
		if d.IsDir() && name != root && (strings.HasPrefix(base, ".") && base != ".ci" || strings.HasPrefix(base, "_testreadme")) {
			return fs.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		tr.files[rel] = true
		if path.Ext(rel) == ".md" {
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			tr.docs[rel] = parse(string(b))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.docs) < 12 {
		t.Fatalf("found %d Markdown files: the tree is not where it should be", len(tr.docs))
	}
	return tr
}

var (
	heading    = regexp.MustCompile(`^#+ +(.*?) *#*$`)
	number     = regexp.MustCompile(`^(\d+(?:\.\d+)*)\.? `)
	trap       = regexp.MustCompile(`\*\*(T\d+)\b`)
	notInSlugs = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// parse returns the parts of a Markdown file to which others can refer.
func parse(text string) *document {
	d := &document{raw: text, anchors: map[string]bool{}, sections: map[string]bool{}}
	var kept strings.Builder
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			continue
		}
		if code || strings.HasPrefix(line, "    ") {
			continue
		}
		kept.WriteString(line)
		if m := heading.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			d.anchors[slug(m[1])] = true
			if n := number.FindStringSubmatch(m[1] + " "); n != nil {
				d.sections[n[1]] = true
			}
		}
	}
	for _, m := range trap.FindAllStringSubmatch(text, -1) {
		d.sections[m[1]] = true
	}
	d.text = kept.String()
	return d
}

// slug returns the anchor of a heading, as forges make it.
func slug(heading string) string {
	s := strings.ToLower(strings.NewReplacer("`", "", "*", "").Replace(heading))
	return strings.ReplaceAll(notInSlugs.ReplaceAllString(s, ""), " ", "-")
}

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

// has reports whether a file is in the folder dir, or anywhere under that name.
func (tr *tree) has(dir, file string) bool {
	if tr.files[path.Join(dir, file)] {
		return true
	}
	for f := range tr.files {
		if f == file || strings.HasSuffix(f, "/"+file) {
			return true
		}
	}
	return false
}

// A citation names a Markdown file, and possibly a section of it. The file is given by
// its path from the repository's root or by its name in docs/format. A section alone
// refers to the file that was cited last.
var citation = regexp.MustCompile(`(?:([A-Za-z0-9_./-]*[A-Za-z0-9_-]+\.md)\b(?:\]\([^)]*\))?(?:,? §\s*(\d+(?:\.\d+)*)| (T\d+)\b)?)|§\s*(\d+(?:\.\d+)*)`)

// foreign holds documents of other projects that ours cite, and files that bench
// writes.
var foreign = map[string]bool{"regret.md": true, "lz4_Block_format.md": true, "doc/xxhash_spec.md": true, "doc/lz4_Block_format.md": true}

// chapters holds the documents to which sections refer that packages cite without a
// file. The package comments name these documents.
var chapters = map[string]string{"filters": "docs/format/filters.md"}

// resolve returns the document that a citation in a file of the folder dir
// means.
func (tr *tree) resolve(dir, file string) *document {
	for _, at := range []string{path.Join(dir, file), path.Join(dir, "results", file), file, "docs/" + file, "docs/format/" + file} {
		if d := tr.docs[path.Clean(at)]; d != nil {
			return d
		}
	}
	return nil
}

// check reports citations in a text that do not resolve, and returns the number of
// citations. A section without a file refers to own, if that is not empty.
func (tr *tree) check(t *testing.T, where, dir, text string, own *document) (n int) {
	last := own
	for _, m := range citation.FindAllStringSubmatch(text, -1) {
		file, section := m[1], m[2]+m[3]+m[4]
		if foreign[file] || strings.Contains(m[0], "://") {
			continue
		}
		n++
		if file != "" {
			if last = tr.resolve(dir, file); last == nil {
				t.Errorf("%s: cites %s, which does not exist", where, file)
				continue
			}
		}
		if last == nil {
			t.Errorf("%s: cites §%s of no document", where, section)
		} else if section != "" && !last.sections[section] && (file != "" || own == nil || !own.sections[section]) {
			t.Errorf("%s: cites %s §%s, which does not exist", where, file, section)
		}
	}
	return n
}

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
// assembly. It knows them across the lines of a comment.
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
