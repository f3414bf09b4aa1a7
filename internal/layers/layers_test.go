// Package layers_test checks the order of the packages of this module.
package layers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers lists the packages of this module, from the lowest layer to the highest. Each
// line is a package and those below it in the folder tree. A package may import
// only packages of earlier lines.
var layers = []string{
	".", // ids and errors, which all packages use
	"internal/kernels",
	"internal/wire",
	"internal/workpool",
	"internal/xxh3",
	"internal/room",
	"internal/bulk",
	"internal/fsio",
	"internal/watch",
	"internal/draw",
	"shuffle",
	"codecs",
	"filters",
	"internal/plain",
	"meta",
	"internal/items",
	"header",
	"chunk",
	"internal/framing",
	"internal/cost",
	"tune",
	"ranges",
	"frame",
	"stream",
	"b2nd",
	"parts",
	"shard",
	"npy",
	"rechunk",
	"reduce",
	"remote",
	"internal/driver",
	"internal/stores",
	"remote/azure",
	"remote/gcs",
	"remote/s3",
	"filter",
	"internal/zarr",
	"tree",
	"table",
	"arrow",
	"beam",
	"cmd",
}

// These are rules in addition to that order.
var (
	forbidden  = map[string][]string{"chunk": {"header"}}
	goroutines = []string{"internal/watch", "internal/workpool", "ranges", "stream", "remote", "remote/gcs", "cmd"}
	withMsgp   = []string{"internal/wire", "meta", "header"}
	osPackages = []string{"internal/fsio", "internal/watch", "internal/kernels", "internal/driver", "cmd"}
	osFiles    = []string{"file.go", "spool.go", "env.go"}
)

const module = "github.com/seed03b80dae/blosc2"

type goPackage struct {
	ImportPath, Dir string
	GoFiles         []string
	Imports         []string
}

// layerOf returns the line of a package in the table, or -1 if it is not in the
// table.
func layerOf(importPath string) (name string, line int) {
	rel := strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
	for name = rel; name != "." && name != ""; name = path.Dir(name) {
		if line := slices.Index(layers, name); line >= 0 {
			return name, line
		}
	}
	if rel == "" {
		return ".", 0
	}
	return rel, -1
}

// forTests reports whether only tests use a package, by the end of its name, as in
// the standard library.
func forTests(importPath string) bool {
	return strings.HasSuffix(importPath, "test") || importPath == module+"/internal/layers"
}

func TestLayers(t *testing.T) {
	out, err := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,GoFiles,Imports", module+"/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name, line := layerOf(p.ImportPath)
		if forTests(p.ImportPath) || strings.HasPrefix(p.ImportPath, module+"/tools/") {
			continue
		}
		if line < 0 {
			t.Errorf("%s is on no line of the table", p.ImportPath)
			continue
		}
		checkImports(t, p, name, line)
		checkFiles(t, p, name)
	}
}

func checkImports(t *testing.T, p goPackage, name string, line int) {
	t.Helper()
	for _, imported := range p.Imports {
		if imported == "github.com/tinylib/msgp/msgp" && !slices.Contains(withMsgp, name) {
			t.Errorf("%s imports msgp", p.ImportPath)
		}
		if imported != module && !strings.HasPrefix(imported, module+"/") {
			continue
		}
		to, above := layerOf(imported)
		if forTests(imported) || slices.Contains(forbidden[name], to) || above < 0 || above > line || above == line && name == "." {
			t.Errorf("%s imports %s", p.ImportPath, imported)
		}
	}
}

// checkFiles checks the rules that concern single files.
func checkFiles(t *testing.T, p goPackage, name string) {
	for _, file := range p.GoFiles {
		file = filepath.Join(p.Dir, file)
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, i := range f.Imports {
			if i.Path.Value == `"os"` && !slices.Contains(osPackages, name) && !slices.Contains(osFiles, filepath.Base(file)) {
				t.Errorf("%s imports os", file)
			}
		}
		if slices.Contains(goroutines, name) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if startsGoroutine(n) {
				t.Errorf("%v starts a goroutine", fset.Position(n.Pos()))
			}
			return true
		})
	}
}

// startsGoroutine recognises go statements, and the functions of the standard
// library and of errgroup that start one.
func startsGoroutine(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.CallExpr:
		f, ok := n.Fun.(*ast.SelectorExpr)
		return ok && slices.Contains([]string{"Go", "TryGo", "AfterFunc"}, f.Sel.Name)
	}
	return false
}
