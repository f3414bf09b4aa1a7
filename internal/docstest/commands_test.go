package docstest_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// goCommand matches a go command in a document, up to the end of the line or of
	// the inline code.
	goCommand = regexp.MustCompile("(?:cd ([a-z/]+) && )?go (test|run|generate) ([^`\n#]+)")
	// word matches an argument of a command.
	word     = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)
	testName = regexp.MustCompile("`((?:Test|Benchmark|Fuzz)[A-Z]\\w*)`")
)

// TestCommands checks that the packages, tests and flags of go commands in documents
// exist.
func TestCommands(t *testing.T) {
	tr := load(t)
	funcs := tr.testFuncs(t)
	n := 0
	for name, d := range tr.docs {
		if name == "CHANGELOG.md" {
			continue
		}
		for _, m := range goCommand.FindAllStringSubmatch(d.raw, -1) {
			c := &command{t: t, tr: tr, where: name + ": " + strings.TrimSpace(m[0]), dir: m[1]}
			args := word.FindAllString(m[3], -1)
			for i := range args {
				args[i] = strings.Trim(args[i], `'"`)
			}
			switch m[2] {
			case "test":
				c.test(args, funcs)
			case "run":
				c.run(args)
			case "generate":
				c.folder(args[0])
			}
			n++
		}
		for _, m := range testName.FindAllStringSubmatch(d.raw, -1) {
			if !funcs.match("...", "^"+m[1]+"$") {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
	if n < 20 {
		t.Errorf("found %d commands: they are not looked for where they are", n)
	}
}

// A command is a go command in a document.
type command struct {
	t     *testing.T
	tr    *tree
	where string
	dir   string // folder from which the command is run: "" for the root, or the module bench
}

// folder returns the folder of a package: "..." for all packages, or "" after reporting
// an error if there is no such package.
func (c *command) folder(pkg string) string {
	if strings.HasSuffix(pkg, "...") {
		return "..."
	}
	for _, dir := range []string{c.dir, "bench", "beam"} {
		at := path.Join(dir, pkg)
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(at))); err == nil && info.IsDir() {
			return at
		}
	}
	c.t.Errorf("%s: there is no package %s", c.where, pkg)
	return ""
}

// test checks the arguments of go test: patterns must match a test of a package.
func (c *command) test(args []string, funcs testFuncs) {
	var patterns, dirs []string
	for i, a := range args {
		switch {
		case (a == "-run" || a == "-bench" || a == "-fuzz") && i+1 < len(args):
			patterns = append(patterns, args[i+1])
		case strings.HasPrefix(a, "."):
			if i > 0 && (args[i-1] == "-run" || args[i-1] == "-bench") { // a pattern that matches all names, not a folder
				continue
			}
			dirs = append(dirs, c.folder(a))
		}
	}
	if len(dirs) == 0 {
		dirs = []string{"..."}
	}
	for _, p := range patterns {
		first, _, _ := strings.Cut(p, "/")
		found := p == "^$"
		for _, dir := range dirs {
			found = found || funcs.match(dir, first)
		}
		if !found {
			c.t.Errorf("%s: no test of %v matches %s", c.where, dirs, p)
		}
	}
}

// run checks the arguments of go run: the program must have the flags.
func (c *command) run(args []string) {
	if !strings.HasPrefix(args[0], ".") { // the program of another module is not checked
		return
	}
	dir := c.dir
	if dir == "" && args[0] == "." {
		dir = "bench"
	}
	dir = path.Join(dir, args[0])
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
	if err != nil || len(files) == 0 {
		c.t.Errorf("%s: there is no program in %s", c.where, dir)
	}
	var code strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			c.t.Fatal(err)
		}
		code.Write(b)
	}
	for _, a := range args[1:] {
		if flag, ok := strings.CutPrefix(a, "-"); ok && !strings.Contains(code.String(), `"`+flag+`"`) {
			c.t.Errorf("%s: the program in %s has no flag %s", c.where, dir, a)
		}
	}
}

// drawn matches a Go file in a drawing or listing, with its folder.
var drawn = regexp.MustCompile(`(?m)(?:^|[\s,])([a-z0-9_]+(?:/[a-z0-9_*]+)+\.go)\b`)

// TestDrawings checks that the files which drawings and listings of documents name
// exist.
func TestDrawings(t *testing.T) {
	tr := load(t)
	n := 0
	for name, d := range tr.docs {
		for _, m := range drawn.FindAllStringSubmatch(d.raw, -1) {
			n++
			if found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil || len(found) == 0 {
				t.Errorf("%s: there is no file %s", name, m[1])
			}
		}
	}
	if n == 0 {
		t.Error("no files found")
	}
}
