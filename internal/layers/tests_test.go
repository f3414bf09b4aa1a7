package layers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Functions that several test files of a package use are in its helpers*_test.go, except
// the commands that main_test.go names.
func TestHelpers(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]*ast.File{} // by folder and name of the package
	fset := token.NewFileSet()
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_")) {
			return fs.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err == nil {
			key := filepath.Dir(path) + " " + f.Name.Name
			files[key] = append(files[key], f)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	funcs := 0
	for _, pkg := range files {
		for _, f := range pkg {
			if strings.HasPrefix(filepath.Base(fset.File(f.Pos()).Name()), "helpers") {
				continue
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv != nil || strings.HasPrefix(fn.Name.Name, "Test") {
					continue
				}
				funcs++
				for _, other := range pkg {
					if filepath.Base(fset.File(other.Pos()).Name()) == "main_test.go" {
						continue
					}
					for _, id := range other.Unresolved { // names that other files declare
						if other != f && id.Name == fn.Name.Name {
							t.Errorf("%s uses %s, which %s declares: move it to helpers_test.go", fset.Position(id.Pos()), id.Name, fset.Position(fn.Pos()))
						}
					}
				}
			}
		}
	}
	if funcs < 500 {
		t.Errorf("only %d functions were found", funcs)
	}
}
