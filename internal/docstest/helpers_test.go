package docstest_test

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

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

func (tr *tree) testFuncs(t *testing.T) testFuncs {
	funcs := testFuncs{}
	for name := range tr.files {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testFunc.FindAllSubmatch(b, -1) {
			funcs[path.Dir(name)] = append(funcs[path.Dir(name)], string(m[1]))
		}
	}
	return funcs
}

// A tree is the repository's files, by their slash-separated path.
type tree struct {
	files map[string]bool
	docs  map[string]*document // the Markdown files
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

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz|Example)\w*)\(`)

// testFuncs holds the names of the tests of each folder.
type testFuncs map[string][]string

// match reports whether a pattern matches a test of the folder, or of any folder if
// that is "...".
func (funcs testFuncs) match(dir, pattern string) bool {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false
	}
	for at, names := range funcs {
		if dir == "..." || at == dir {
			for _, n := range names {
				if re.MatchString(n) {
					return true
				}
			}
		}
	}
	return false
}

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

// A citation names a Markdown file, and possibly a section of it. The file is given by
// its path from the repository's root or by its name in docs/format. A section alone
// refers to the file that was cited last.
var citation = regexp.MustCompile(`(?:([A-Za-z0-9_./-]*[A-Za-z0-9_-]+\.md)\b(?:\]\([^)]*\))?(?:,? §\s*(\d+(?:\.\d+)*)| (T\d+)\b)?)|§\s*(\d+(?:\.\d+)*)`)

// foreign holds documents of other projects that ours cite, and files that bench
// writes.
var foreign = map[string]bool{"regret.md": true, "lz4_Block_format.md": true, "doc/xxhash_spec.md": true, "doc/lz4_Block_format.md": true}

// A document holds the parts of a Markdown file to which others can refer.
type document struct {
	raw      string
	text     string // text of the document without code blocks
	anchors  map[string]bool
	sections map[string]bool // numbers of headings, and of traps: "5.2", "T1"
}

// slug returns the anchor of a heading, as forges make it.
func slug(heading string) string {
	s := strings.ToLower(strings.NewReplacer("`", "", "*", "").Replace(heading))
	return strings.ReplaceAll(notInSlugs.ReplaceAllString(s, ""), " ", "-")
}

var heading = regexp.MustCompile(`^#+ +(.*?) *#*$`)

var number = regexp.MustCompile(`^(\d+(?:\.\d+)*)\.? `)

var trap = regexp.MustCompile(`\*\*(T\d+)\b`)

var (
	notInSlugs = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)
