// Command api writes the exported declarations of every public package of the
// library to an api.txt next to its sources: one declaration after another, sorted,
// without comments, function bodies and unexported fields. A change of the API then
// shows as a change of that file.
//
// It runs in the module's tools folder; see ../gen.go.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("api: ")
	root, err := filepath.Abs("..")
	if err != nil {
		log.Fatal(err)
	}
	err = filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return err
		case dir == root:
		case private(dir, d.Name()):
			return fs.SkipDir
		}
		return write(dir)
	})
	if err != nil {
		log.Fatal(err)
	}
}

// private reports whether a folder below the root holds only what users of the
// library do not import: internal packages, data, and other modules.
func private(dir, name string) bool {
	if name == "internal" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// write writes api.txt for the package in a folder, if there is one that is not
// a command.
func write(dir string) error {
	pkg, err := build.ImportDir(dir, 0)
	if _, none := err.(*build.NoGoError); none || err == nil && pkg.Name == "main" {
		return nil
	}
	if err != nil {
		return err
	}
	var decls []string
	files := token.NewFileSet()
	for _, name := range pkg.GoFiles {
		file, err := parser.ParseFile(files, filepath.Join(dir, name), nil, 0)
		if err != nil {
			return err
		}
		if !ast.FileExports(file) {
			continue
		}
		for _, d := range file.Decls {
			got, err := texts(files, d)
			if err != nil {
				return err
			}
			decls = append(decls, got...)
		}
	}
	if len(decls) == 0 {
		return nil
	}
	slices.SortFunc(decls, func(a, b string) int { return cmp.Compare(key(a), key(b)) })
	text := fmt.Sprintf("package %s\n\n%s\n", pkg.Name, strings.Join(decls, "\n"))
	return os.WriteFile(filepath.Join(dir, "api.txt"), []byte(text), 0o666)
}

// texts returns a declaration as Go prints it, one text for each specification. A const
// with an implied value keeps its group, because without the group it has no value.
func texts(files *token.FileSet, d ast.Decl) ([]string, error) {
	if f, ok := d.(*ast.FuncDecl); ok {
		if f.Recv != nil && !ast.IsExported(receiver(f.Recv.List[0].Type)) {
			return nil, nil
		}
		f.Body = nil
	}
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok == token.CONST && g.Lparen.IsValid() {
		s, err := text(files, d)
		return []string{s}, err
	}
	if g.Tok == token.IMPORT {
		return nil, nil
	}
	var out []string
	for _, spec := range g.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && g.Tok == token.VAR {
			v.Values = nil // omit the value of a variable, which is not part of the API
		}
		s, err := text(files, &ast.GenDecl{Tok: g.Tok, Specs: []ast.Spec{spec}})
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// receiver returns the name of the type of a method's receiver.
func receiver(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

func text(files *token.FileSet, d ast.Decl) (string, error) {
	var b bytes.Buffer
	err := (&printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}).Fprint(&b, files, d)
	return strings.ReplaceAll(b.String(), "\n\n", "\n"), err
}

// key orders declarations by kind, and methods after the functions.
func key(decl string) string {
	for i, kind := range []string{"const ", "var ", "type ", "func (", "func "} {
		if strings.HasPrefix(decl, kind) {
			return fmt.Sprint(i, decl)
		}
	}
	return decl
}
