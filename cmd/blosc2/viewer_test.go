//go:build !wasip1

package main

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/cells"
	"github.com/seed03b80dae/blosc2/npy"
	tables "github.com/seed03b80dae/blosc2/table"
	"github.com/seed03b80dae/blosc2/tree"
)

// A simulation is a viewer on a simulated screen.
type simulation struct {
	*viewer
	screen tcell.SimulationScreen
	t      *testing.T
}

// simulate shows a file on a screen of 80 by 24.
func simulate(t *testing.T, name string, colors cells.Colors) *simulation {
	t.Helper()
	e := &env{stderr: os.Stderr}
	p, err := e.openPage(name, "")
	if err != nil {
		t.Fatal(err)
	}
	s := tcell.NewSimulationScreen("UTF-8")
	if err := s.Init(); err != nil {
		t.Fatal(err)
	}
	s.SetSize(80, 24)
	v := &viewer{e: e, screen: s, stack: []page{p}, colors: colors}
	t.Cleanup(func() {
		for _, p := range v.stack {
			p.close()
		}
		s.Fini()
	})
	return &simulation{v, s, t}
}

// press presses keys, drawing after each, and returns the text of the screen.
func (s *simulation) press(keys ...string) string {
	s.t.Helper()
	s.show()
	for _, k := range keys {
		if !s.key(k) {
			return "ended"
		}
		s.show()
	}
	all, w, h := s.screen.GetContents()
	var b strings.Builder
	for y := range h {
		line := ""
		for x := range w {
			line += string(all[y*w+x].Runes)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func mustShow(t *testing.T, screen string, all ...string) {
	t.Helper()
	for _, text := range all {
		if !strings.Contains(screen, text) {
			t.Errorf("no %q in\n%s", text, screen)
		}
	}
}

func TestViewTable(t *testing.T) {
	s := simulate(t, cube(t), cells.None)
	first := s.press()
	t.Log("\n" + first)
	mustShow(t, first, "cube.b2nd  <f4  5 x 40 x 30", "\n 1   10   11   12   13   14  NaN", "table  [<0>,0,0]")
	mustShow(t, s.press("]", "]", "space"), "\n21  2210", "[<2>,21,0]")
	mustShow(t, s.press("G"), "\n39  2390", "[<2>,19,0]")
	mustShow(t, s.press("right", "3", "right"), "\n39  2394", "[<2>,19,4]")
	mustShow(t, s.press("5", "g"), "\n 5  2054")
	mustShow(t, s.press(":", "4", ",", "3", "9", ",", "2", "9", "enter"), "\n39  4419\n", "[<4>,39,29]")
	mustShow(t, s.press(":", "7", "enter"), "7: must be 0 to 4")
	mustShow(t, s.press("h"), "next palette", "any key goes back")
	mustShow(t, s.press("x"), "4419")
	if got := s.press("q"); got != "ended" {
		t.Errorf("q shows\n%s", got)
	}
}

func TestViewPictures(t *testing.T) {
	for _, colors := range []cells.Colors{cells.None, cells.True} {
		s := simulate(t, cube(t), colors)
		image := s.press("i")
		t.Log("\n" + image)
		mustShow(t, image, "cube.b2nd  <f4, 40 ", "dimension 2", " 20", "400", "image  [")
		line := s.press("l")
		t.Log("\n" + line)
		mustShow(t, line, "cube.b2nd row 0", "dimension 2", "line  [")
		mustShow(t, s.press("j"), "row 1")
		mustShow(t, s.press("+", "+"), "row 1")
		hist := s.press("H")
		t.Log("\n" + hist)
		mustShow(t, hist, "histogram  [", "200")
		mustShow(t, s.press("c"), "ratio")
		mustShow(t, s.press("L", "p", "i"), "log image")
	}
}

// In ASCII mode only ASCII is on the screen, and NaN in a line is marked.
func TestViewASCII(t *testing.T) {
	s := simulate(t, cube(t), cells.None)
	s.e.ascii = true
	for _, key := range []string{"t", "i", "l", "H", "c", "h"} {
		screen := s.press(key)
		for _, r := range screen {
			if r > '~' {
				t.Fatalf("%c in\n%s", r, screen)
			}
		}
		if key == "l" {
			mustShow(t, s.press("j"), "?")
		}
	}
}

func TestViewFolder(t *testing.T) {
	dir := t.TempDir()
	raw := binary.LittleEndian.AppendUint16(nil, 258)
	if err := os.WriteFile(filepath.Join(dir, "some.u2"), raw, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".hidden"), raw, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.b2nd"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(cube(t), filepath.Join(dir, "cube.b2nd")); err != nil {
		t.Fatal(err)
	}
	s := simulate(t, dir, cells.None)
	list := s.press()
	mustShow(t, list, "> bad.b2nd", "some.u2", "3 names")
	if strings.Contains(list, "hidden") {
		t.Error("a hidden file is shown")
	}
	mustShow(t, s.press("enter"), "bad.b2nd: is empty")
	mustShow(t, s.press("/", "s", "o", "m", "enter", "enter"), "258")
	mustShow(t, s.press("q"), "/som")
	mustShow(t, s.press("/", "enter", "j", "enter"), "cube.b2nd  <f4")
	mustShow(t, s.press("backspace"), "> cube.b2nd")
}

func TestViewStore(t *testing.T) {
	data, err := os.ReadFile(cube(t))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "store.b2z")
	if err := tree.WriteFile(name, tree.Contents{Items: []tree.Item{tree.Bytes("/run/cube", data)}}); err != nil {
		t.Fatal(err)
	}
	s := simulate(t, name, cells.None)
	mustShow(t, s.press(), "/run/cube")
	mustShow(t, s.press("G", "enter", "]"), "1000  1001")
	mustShow(t, s.press("q"), "> /run/cube")
}

// The arrays of a .npz file are shown as a list.
func TestViewMembers(t *testing.T) {
	name := filepath.Join(t.TempDir(), "two.npz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := npy.NewNPZWriter(f, false)
	for i, member := range []string{"first", "second"} {
		w, err := z.Create(member, npy.Header{DType: "|u1", Shape: []int64{3}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte{byte(100 + i), 7, 8}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	s := simulate(t, name, cells.None)
	mustShow(t, s.press(), "> first", "second", "2 names")
	mustShow(t, s.press("j", "enter"), "|u1", "101")
	mustShow(t, s.press("q"), "> second")
}

// A table is shown by rows and columns, alone or in a store with other nodes.
func TestViewRows(t *testing.T) {
	specs, err := tables.SpecsOf[struct {
		ID   int64   `blosc2:"id"`
		City string  `blosc2:"city,dictionary"`
		Note *string `blosc2:"note"`
	}]()
	if err != nil {
		t.Fatal(err)
	}
	build := func() *tables.Builder {
		b, err := tables.NewBuilder(specs...)
		if err != nil {
			t.Fatal(err)
		}
		ids, cities, notes, valid := []int64{}, []string{}, []string{}, []bool{}
		for i := range 100 {
			ids, cities, notes, valid = append(ids, int64(i*i)), append(cities, []string{"Oslo", "Rome"}[i%2]), append(notes, "n"), append(valid, i != 99)
		}
		if err := b.Append(tables.Cells{Values: ids}, tables.Cells{Values: cities}, tables.Cells{Values: notes, Valid: valid}); err != nil {
			t.Fatal(err)
		}
		return b
	}
	dir := t.TempDir()
	alone, among := filepath.Join(dir, "t.b2z"), filepath.Join(dir, "s.b2z")
	b := build()
	defer b.Close()
	if err := b.WriteFile(alone); err != nil {
		t.Fatal(err)
	}
	s := simulate(t, alone, cells.None)
	mustShow(t, s.press(), "t.b2z  100 rows, 3 columns", "id  city", "\n 3    9  Rome")
	mustShow(t, s.press("G"), " 99  9801  Rome  null", "row 79")
	mustShow(t, s.press("right"), " 99  Rome  null", "column 1")
	for _, key := range []string{"right", "right", "right", "left", "g", "space", "b", "d", "u", "5", "g", "l", "i", ":", "esc", "h", "h"} {
		s.press(key)
	}
	s.screen.SetSize(20, 5)
	s.press()

	c := build()
	defer c.Close()
	contents, err := c.Contents("/run/t")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(cube(t))
	if err != nil {
		t.Fatal(err)
	}
	contents.Items = append(contents.Items, tree.Bytes("/run/cube", data))
	if err := tree.WriteFile(among, contents); err != nil {
		t.Fatal(err)
	}
	s = simulate(t, among, cells.None)
	list := s.press()
	mustShow(t, list, "> /run/t ", "/run/cube", "2 names")
	mustShow(t, s.press("enter"), "100 rows", "Oslo")
	mustShow(t, s.press("q"), "> /run/t ")
}

// Structures have a column for each field, and a message says why something cannot
// be drawn.
func TestViewStructs(t *testing.T) {
	name := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(name, []byte("name,n,x\nAnna,1,2.5\nBo,22,-3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := simulate(t, name, cells.None)
	mustShow(t, s.press(), "name   n    x", "Anna   1  2.5", "Bo  22   -3")
	mustShow(t, s.press("l"), "not numbers")
	mustShow(t, s.press("c"), "neither a frame nor")
	mustShow(t, s.press("t"), "Anna")
}

// An array without items, and one without dimensions, can be shown.
func TestViewFew(t *testing.T) {
	dir := t.TempDir()
	for name, shape := range map[string][]int64{"none.b2nd": {0, 3}, "scalar.b2nd": {}} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		spec, err := b2nd.SpecOf[int16](shape...)
		if err != nil {
			t.Fatal(err)
		}
		w, err := b2nd.NewWriter(f, spec)
		if err != nil {
			t.Fatal(err)
		}
		if len(shape) == 0 {
			if _, err := b2nd.WriteSlice(w, []int16{77}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f.Close()
		s := simulate(t, filepath.Join(dir, name), cells.None)
		want := map[string]string{"none.b2nd": "no items", "scalar.b2nd": "77"}[name]
		mustShow(t, s.press(), want)
		for _, key := range []string{"l", "i", "H", "c", "G", "g", "j", "right", "[", "+", ":", "enter", "t"} {
			s.press(key)
		}
		mustShow(t, s.press("t"), want)
	}
}

// If the view is at the end of a growing file, it moves with the end. Otherwise the
// visible part does not change.
func TestViewFollows(t *testing.T) {
	name, add := growing(t)
	add(50)
	s := simulate(t, name, cells.None)
	mustShow(t, s.press(), "50 x 3", "\n20  20")
	follow := func() {
		t.Helper()
		if f, ok := s.top().(follower); !ok || !f.follow() {
			t.Fatal("the page did not follow")
		}
	}
	if s.top().(follower).follow() {
		t.Error("a file that is the same was read again")
	}
	add(30)
	follow()
	if screen := s.press(); !strings.Contains(screen, "80 x 3") || !strings.Contains(screen, "\n 0   0") {
		t.Errorf("the first rows are not shown\n%s", screen)
	}
	mustShow(t, s.press("G"), "\n79  79")
	add(1000)
	follow()
	mustShow(t, s.press(), "1,080 x 3", "1,079  1079  7553  -1079")
	// Replace the file by a smaller one, and by one of other dimensions.
	for _, shape := range [][]int64{{5, 2}, {4}} {
		items := int64(1)
		for _, n := range shape {
			items *= n
		}
		spec, err := b2nd.SpecOf[int16](shape...)
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(name + ".new")
		if err != nil {
			t.Fatal(err)
		}
		w, err := b2nd.NewWriter(f, spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b2nd.WriteSlice(w, make([]int16, items)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if err := os.Rename(name+".new", name); err != nil {
			t.Fatal(err)
		}
		follow()
		mustShow(t, s.press(), "<i2  "+strings.ReplaceAll(times(shape), "×", "x"))
		for _, key := range []string{"l", "i", "H", "t", "G", "g"} {
			s.press(key)
		}
	}
}

// Pressing keys in any order does not fail on screens of any size.
func TestViewAnyKeys(t *testing.T) {
	s := simulate(t, cube(t), cells.True)
	rnd := rand.New(rand.NewPCG(1, 2))
	keys := []string{"j", "k", "space", "b", "d", "u", "g", "G", "left", "right", "[", "]", "{", "}", "+", "-", "t", "l", "i", "H", "c", "L", "p", "h", "9", "3", ":", "enter", "q", "esc"}
	for range 300 {
		if rnd.IntN(50) == 0 {
			s.screen.SetSize(1+rnd.IntN(100), 1+rnd.IntN(30))
		}
		s.press(keys[rnd.IntN(len(keys))])
	}
	s.help, s.prompt = false, nil
	s.screen.SetSize(80, 24)
	mustShow(t, s.press("t"), "cube.b2nd")
}

// A Zarr folder is shown as an array, or as a list if it is a group.
func TestViewZarr(t *testing.T) {
	dir := t.TempDir()
	if status, _, stderr := printed(t, "zarr", "export", "-q", cube(t), filepath.Join(dir, "a.zarr")); status != exitDone {
		t.Fatal(stderr)
	}
	s := simulate(t, dir, cells.True)
	if text := s.press(); !strings.Contains(text, "a.zarr/") {
		t.Errorf("the list:\n%s", text)
	}
	mustShow(t, s.press("enter"), "\n 2   20   21", "[<0>,0,0]")
	mustShow(t, s.press("]", "]", "G"), "\n39  2390", "[<2>,")
	mustShow(t, s.press("q"), "a.zarr/")
}
