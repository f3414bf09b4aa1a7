package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// The page is at most 250 KiB.
func TestPageSize(t *testing.T) {
	var n int64
	err := fs.WalkDir(assets, "page", func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		n += info.Size()
		return err
	})
	if err != nil || n > 250<<10 {
		t.Errorf("the page has %d bytes: %v", n, err)
	}
	t.Logf("%d bytes", n)
}

// TestBrowser uses the page in Chromium as people do.
func TestBrowser(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	dir := makeFolder(t)
	_, h := newServer(t, dir, nil)
	t.Run("Browse", func(t *testing.T) { b.t = t; browse(b, h.URL) })
	t.Run("Download", func(t *testing.T) { b.t = t; downloads(b, h.URL, dir) })
	t.Run("Live", func(t *testing.T) { b.t = t; live(b, h.URL, dir) })
	t.Run("Keyboard", func(t *testing.T) { b.t = t; keyboard(b, h.URL) })
	t.Run("Dark", func(t *testing.T) { b.t = t; dark(b, h.URL) })
	t.Run("Errors", func(t *testing.T) { b.t = t; pageErrors(b, h.URL) })
	t.Run("Dates", func(t *testing.T) { b.t = t; datesOf(b, h.URL) })
	b.t = t
}

// datesOf asks for the ticks of axes of dates: round times, the first days of months,
// and years.
func datesOf(b *browser, base string) {
	b.open(base + "/")
	for _, c := range []struct {
		dtype  string
		lo, hi float64
		want   string
	}{
		{"<M8[s]", 0, 86400, "1970-01-01 00:00|1970-01-01 06:00|1970-01-01 12:00|1970-01-01 18:00|1970-01-02 00:00"},
		{"<M8[ms]", 1e12, 1e12 + 8, "2001-09-09 01:46:40|2001-09-09 01:46:40.002|2001-09-09 01:46:40.004|2001-09-09 01:46:40.006|2001-09-09 01:46:40.008"},
		{"<M8[D]", 100, 130, "1970-04-11|1970-04-21|1970-05-01|1970-05-11"},
		{"<M8[D]", 16000, 16500, "2014-01|2014-07|2015-01"},
		{"<M8[D]", 16000, 20000, "2015|2020"},
		{"<M8[D]", -20000, 20000, "1950|2000"},
		{"<M8[M]", 0, 24, "1970-01|1970-07|1971-01|1971-07|1972-01"},
		{"<M8[Y]", -70, 53, "1900|1950|2000"},
		{"<M8[ns]", 1.6e18, 1.7e18, "2021|2022|2023"},
		{"<M8[D]", 1e12, 2e12, "1e12|1.5e12|2e12"},
	} {
		got := eval[string](b, `(async () => {
			const { clock, dates, moment } = await import('/page/api.js');
			const c = clock(%q), { list, step } = dates(c, %v, %v, 4);
			return list.map(v => moment(c, v, step)).join('|') })()`, c.dtype, c.lo, c.hi)
		if got != c.want {
			b.t.Errorf("%s from %v to %v: %s, want %s", c.dtype, c.lo, c.hi, got, c.want)
		}
	}
	b.quiet()
}

// quiet fails if the page has logged errors.
func (b *browser) quiet() {
	b.t.Helper()
	for _, c := range b.complaints() {
		b.t.Errorf("the page complains: %s", c)
	}
}

func (b *browser) click(selector string) {
	b.t.Helper()
	b.wait("document.querySelector(%q)", selector)
	p := eval[[]float64](b, "(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width/2, r.y + r.height/2] })()", selector)
	b.mouse("mouseMoved", p[0], p[1])
	b.mouse("mousePressed", p[0], p[1], "button", "left", "clickCount", 1)
	b.mouse("mouseReleased", p[0], p[1], "button", "left", "clickCount", 1)
}

func browse(b *browser, base string) {
	b.open(base + "/")
	b.wait("document.querySelectorAll('#tree [role=treeitem]').length === 5")
	b.click(`[data-path="sub"] .mark`)
	b.wait(`document.querySelector('[data-path="sub/complex.b2nd"]')`)
	b.does(func() { b.click(`[data-path="sub/complex.b2nd"] .row`) })
	if at := eval[string](b, "location.pathname"); at != "/view/sub/complex.b2nd" {
		b.t.Errorf("the address is %s", at)
	}
	if n := eval[int](b, "[...document.querySelectorAll('select option')].filter(o => ['magnitude', 'phase'].includes(o.textContent)).length"); n != 2 {
		b.t.Errorf("%d choices for a complex array", n)
	}
	b.does(func() { eval[any](b, "history.back()") })
	b.wait("document.querySelector('main h1').textContent === 'Files'")
	b.click("#filter")
	for _, r := range "plex" {
		b.key(string(r))
	}
	b.wait(`document.querySelectorAll('#tree [role=treeitem]').length === 1 && document.querySelector('[data-path="sub/complex.b2nd"]')`)
	b.shot("browse")
	b.quiet()
}

// pointed moves the mouse to a part of the canvas and returns the index and the
// value that the page reads there.
func (b *browser) pointed(x, y float64) (index []int, value string) {
	b.t.Helper()
	r := eval[[]float64](b, "(() => { const r = document.querySelector('.plot canvas').getBoundingClientRect(); return [r.x, r.y, r.width, r.height] })()")
	eval[any](b, "document.getElementById('value')?.remove()")
	b.mouse("mouseMoved", r[0]+x*r[2], r[1]+y*r[3])
	b.wait("document.getElementById('value')")
	text := eval[string](b, "document.getElementById('read').firstChild.textContent")
	for word := range strings.SplitSeq(strings.Trim(text, "[]"), ", ") {
		n, err := strconv.Atoi(strings.ReplaceAll(word, ",", ""))
		if err != nil {
			b.t.Fatalf("index %s: %v", text, err)
		}
		index = append(index, n)
	}
	return index, eval[string](b, "document.getElementById('value').textContent")
}

func (b *browser) compareCube(index []int, value string) {
	b.t.Helper()
	if want := strconv.FormatFloat(float64(cubeAt(index[0], index[1], index[2])), 'g', -1, 32); value != want {
		b.t.Errorf("item %v is read as %s, want %s", index, value, want)
	}
}

func downloads(b *browser, base, dir string) {
	b.open(base + "/view/cube.b2nd?at=3,0,0&zx=20:90&zy=10:60")
	sum := sha256.Sum256(window(b.t, filepath.Join(dir, "cube.b2nd"), "3,10:60,20:90"))
	got := eval[string](b, `(async () => {
		const b = await (await fetch(document.querySelector('[data-format=npy]').href)).arrayBuffer();
		const d = await crypto.subtle.digest('SHA-256', b.slice(-50*70*4));
		return [...new Uint8Array(d)].map(x => x.toString(16).padStart(2, '0')).join('') })()`)
	if got != hex.EncodeToString(sum[:]) {
		b.t.Error("the download differs from the window")
	}
	for _, kind := range []string{"npy", "csv", "b2nd", "png"} {
		if status := eval[int](b, "(async () => (await fetch(document.querySelector('[data-format=%s]').href)).status)()", kind); status != 200 {
			b.t.Errorf("%s: status %d", kind, status)
		}
	}
	// The program that was copied runs, for a type that Go has and for structures.
	for view, want := range map[string]string{"cube.b2nd?at=3,0,0&zx=20:90&zy=10:60": "3500\n", "table.b2nd": "bytes"} {
		b.open(base + "/view/" + view)
		text := eval[string](b, "document.querySelector('[data-code=Go]').textContent")
		if want == "bytes" {
			want = fmt.Sprintln(len(window(b.t, filepath.Join(dir, "table.b2nd"), ":")))
		} else if !strings.Contains(text, `b2nd.ParseWindow("3,10:60,20:90"`) {
			b.t.Errorf("the program in Go: %s", text)
		}
		name := filepath.Join(b.t.TempDir(), "main.go")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			b.t.Fatal(err)
		}
		if formatted, err := format.Source([]byte(text + "\n")); err != nil || string(formatted) != text+"\n" {
			b.t.Errorf("the program in Go is not formatted: %v\n%s", err, text)
		}
		if out, err := exec.Command("go", "run", name).CombinedOutput(); err != nil || string(out) != want {
			b.t.Errorf("%s: the copied program printed %s, want %s: %v\n%s", view, out, want, err, text)
		}
	}
	b.quiet()
}

func live(b *browser, base, dir string) {
	spec, err := b2nd.SpecOf[float32](b2nd.Unknown)
	if err != nil {
		b.t.Fatal(err)
	}
	w, err := b2nd.AppendFile(filepath.Join(dir, "log.b2nd"), spec)
	if err != nil {
		b.t.Fatal(err)
	}
	defer os.Remove(filepath.Join(dir, "log.b2nd"))
	defer w.Close()
	add := func(values ...float32) {
		b.t.Helper()
		if _, err := b2nd.WriteSlice(w.Writer, values); err != nil {
			b.t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			b.t.Fatal(err)
		}
	}
	add(1, 2, 3)
	b.open(base + "/view/log.b2nd")
	shown := "[...document.querySelectorAll('#stats dt')].find(e => e.textContent === '%s').nextSibling.textContent === '%s'"
	b.wait(shown, "shown", "3")
	add(4, 50)
	b.wait(shown, "shown", "5")
	b.wait(shown, "maximum", "50")
	b.shot("live")
	b.quiet()
	// Leave the page before the file is removed.
	b.call("Page.navigate", map[string]any{"url": "about:blank"}, nil)
}

// keyboard opens a file, changes the view and reads a number without the mouse.
func keyboard(b *browser, base string) {
	b.open(base + "/")
	b.wait("document.querySelectorAll('#tree .row').length === 5")
	for n := 0; !eval[bool](b, "document.activeElement.className === 'row'"); n++ {
		if n > 12 {
			b.t.Fatal("the tree is not reached by tab")
		}
		b.key("Tab")
	}
	b.key("ArrowDown") // the entry after the folder sub
	b.does(func() { b.key("Enter") })
	if at := eval[string](b, "location.pathname"); at != "/view/cube.b2nd" {
		b.t.Fatalf("enter opened %s", at)
	}
	b.key("1")
	for n := 0; !eval[bool](b, "document.activeElement.tagName === 'CANVAS'"); n++ {
		if n > 40 {
			b.t.Fatal("the picture is not reached by tab")
		}
		b.key("Tab")
	}
	b.key("ArrowDown")
	b.wait("document.getElementById('value')")
	index := eval[string](b, "document.getElementById('read').firstChild.textContent")
	if want := fmt.Sprintf("[%d, %d, %d]", cubeI/2, cubeJ/2, cubeK/2); index != want {
		b.t.Errorf("the cursor is at %s, want %s", index, want)
	}
	if got, want := eval[string](b, "document.getElementById('value').textContent"), strconv.FormatFloat(float64(cubeAt(cubeI/2, cubeJ/2, cubeK/2)), 'g', -1, 32); got != want {
		b.t.Errorf("the cursor reads %s, want %s", got, want)
	}
	b.does(func() { b.key("+") })
	b.wait("location.search.includes('zx=')")
	b.does(func() { b.key("3") })
	b.wait("document.querySelector('.grid')")
	b.does(func() { b.key("5") })
	b.wait("document.querySelector('#info')?.innerText.includes('b2nd')")
	b.key("?")
	b.wait("document.querySelector('#keys').open")
	b.key("Escape")
	b.wait("!document.querySelector('#keys').open")
	// All controls have a name.
	if n := eval[int](b, "[...document.querySelectorAll('button, a, input, select, canvas, [role=grid]')].filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.closest('label')?.textContent.trim())).length"); n > 0 {
		b.t.Errorf("%d elements have no name", n)
	}
	b.quiet()
}

// contrast is the ratio of luminances of an element's text to its background.
const contrast = `(e => {
	const rgb = s => s.match(/[\d.]+/g).map(Number);
	let up = e; while (up && rgb(getComputedStyle(up).backgroundColor)[3] === 0) up = up.parentElement;
	const lum = c => { const [r, g, b] = c.map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
	const a = lum(rgb(getComputedStyle(e).color)), b = lum(up ? rgb(getComputedStyle(up).backgroundColor) : [255, 255, 255]);
	return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
})`

func dark(b *browser, base string) {
	for _, scheme := range []string{"light", "dark"} {
		b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}, nil)
		b.open(base + "/view/cube.b2nd")
		b.wait("document.documentElement.dataset.theme === %q", scheme)
		light := eval[float64](b, "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
		if (light > 128) != (scheme == "light") {
			b.t.Errorf("%s: the background is %v", scheme, light)
		}
		for _, selector := range []string{"h1", ".facts", ".note", "#crumbs a", "#downloads a", "#stats dt", "#stats dd", ".what", ".tabs button", ".tabs [aria-selected=true]"} {
			if c := eval[float64](b, "%s(document.querySelector(%q))", contrast, selector); c < 4.5 {
				b.t.Errorf("%s: %s has a contrast of %.1f", scheme, selector, c)
			}
		}
		b.shot(scheme)
	}
	b.key("t")
	b.wait("document.documentElement.dataset.theme === 'light'")
	eval[any](b, "localStorage.clear()")
	b.quiet()
}

func pageErrors(b *browser, base string) {
	b.open(base + "/view/notes.txt")
	b.open(base + "/view/cube.b2nd")
	eval[any](b, "history.pushState(null, '', '/view/missing.b2nd'), dispatchEvent(new PopStateEvent('popstate'))")
	b.wait("document.querySelector('[role=alert]')?.textContent === 'no such file or array'")
	b.complaints() // the browser logs the status 404
}
