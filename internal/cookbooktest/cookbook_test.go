package cookbooktest_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/cookbook.md anew")

// TestCookbook compares docs/cookbook.md with the Examples.
func TestCookbook(t *testing.T) {
	file := repository + "/docs/cookbook.md"
	want, n := page(t)
	if n < 25 {
		t.Errorf("%d recipes, want at least 25", n)
	}
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Error("docs/cookbook.md is not what the Examples are: go test ./internal/cookbooktest -update")
	}
}

const intro = `# Cookbook

Each recipe is an Example in ` + "`internal/cookbooktest`" + `, which runs with the tests; this
page is made from them. They run in a folder with a file of 50,000 float32 numbers,
` + "`numbers.f4`" + `. Helpers and imports are [at the end](#helpers).

`

// page returns the document and the number of its recipes.
func page(t *testing.T) (string, int) {
	var out strings.Builder
	out.WriteString(intro)
	n := 0
	var helpers, imports []string
	for _, part := range []struct{ file, title string }{
		{"files_test.go", "Files"}, {"streams_test.go", "Pipes, connections and untrusted data"},
		{"logs_test.go", "Logs and damage"}, {"arrays_test.go", "Arrays"}, {"helpers_recipes_test.go", ""},
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, repository+"/internal/cookbooktest/"+part.file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if !slices.Contains(imports, i.Path.Value) {
				imports = append(imports, i.Path.Value)
			}
		}
		if part.title != "" {
			fmt.Fprintf(&out, "## %s\n\n", part.title)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && !strings.HasPrefix(fn.Name.Name, "Example") {
				helpers = append(helpers, source(t, fset, &ast.FuncDecl{Name: fn.Name, Type: fn.Type, Body: fn.Body, Doc: fn.Doc}))
			}
		}
		fileExamples := doc.Examples(f)
		byName := map[string]*doc.Example{}
		for _, e := range fileExamples {
			byName["Example"+e.Name] = e
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || byName[fn.Name.Name] == nil {
				continue
			}
			e := byName[fn.Name.Name]
			n++
			title, text, _ := strings.Cut(strings.Join(strings.Fields(e.Doc), " "), ". ")
			fmt.Fprintf(&out, "### %d. %s\n\n", n, strings.TrimSuffix(title, "."))
			if text != "" {
				out.WriteString(wrap(text) + "\n\n")
			}
			fmt.Fprintf(&out, "```go\n%s\n```\n\nprints\n\n```text\n%s```\n\n", body(t, fset, e), e.Output)
		}
	}
	slices.Sort(imports)
	out.WriteString("## Helpers\n\nThe recipes import, as they need,\n\n```go\nimport (\n")
	for _, ours := range []bool{false, true} {
		if ours {
			out.WriteString("\n")
		}
		for _, i := range imports {
			if strings.Contains(i, "seed03b80dae") == ours {
				out.WriteString("\t" + i + "\n")
			}
		}
	}
	out.WriteString(")\n```\n\nand use\n\n```go\n" + strings.Join(helpers, "\n\n") + "\n```\n")
	return out.String(), n
}

// body returns the statements of an example, without its expected output.
func body(t *testing.T, fset *token.FileSet, e *doc.Example) string {
	text := source(t, fset, e.Code)
	text = strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	if i := strings.LastIndex(text, "// Output:"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSpace(strings.ReplaceAll(text, "\n\t", "\n"))
}

// source returns the source text of a node.
func source(t *testing.T, fset *token.FileSet, n any) string {
	t.Helper()
	node := n.(ast.Node)
	file := fset.File(node.Pos())
	b, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(b[file.Offset(node.Pos()):file.Offset(node.End())])
}

// wrap breaks text into lines of at most 80 characters.
func wrap(text string) string {
	var out strings.Builder
	line := 0
	for i, w := range strings.Fields(text) {
		if i > 0 && line+1+len(w) > 80 {
			out.WriteString("\n")
			line = 0
		} else if i > 0 {
			out.WriteString(" ")
			line++
		}
		out.WriteString(w)
		line += len(w)
	}
	return out.String()
}
