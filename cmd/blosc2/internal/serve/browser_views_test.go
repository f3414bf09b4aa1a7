package serve

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestBrowserViews looks at pictures, lines and tables in Chromium.
func TestBrowserViews(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	_, h := newServer(t, makeFolder(t), nil)
	t.Run("Picture", func(t *testing.T) { b.t = t; picture(b, h.URL) })
	t.Run("Line", func(t *testing.T) { b.t = t; line1d(b, h.URL) })
	t.Run("Lines", func(t *testing.T) { b.t = t; lines(b, h.URL) })
	t.Run("Table", func(t *testing.T) { b.t = t; lastRow(b, h.URL) })
	t.Run("Sheet", func(t *testing.T) { b.t = t; sheet(b) })
	t.Run("Telephone", func(t *testing.T) { b.t = t; telephone(b, h.URL) })
	b.t = t
}

func picture(b *browser, base string) {
	b.open(base + "/view/cube.b2nd")
	index, value := b.pointed(.3, .4)
	b.compareCube(index, value)
	if index[0] != cubeI/2 {
		b.t.Errorf("the first picture is of index %d", index[0])
	}
	// Move the slider with the arrow keys.
	eval[any](b, "document.querySelector('input[type=range]').focus()")
	b.does(func() { b.key("ArrowRight") })
	b.does(func() { b.key("ArrowRight") })
	index, value = b.pointed(.31, .4)
	if b.compareCube(index, value); index[0] != cubeI/2+2 {
		b.t.Errorf("after two steps the index is %d", index[0])
	}
	// Zoom with the wheel.
	r := eval[[]float64](b, "(() => { const r = document.querySelector('.plot canvas').getBoundingClientRect(); return [r.x, r.y, r.width, r.height] })()")
	for range 4 {
		b.does(func() {
			b.mouse("mouseWheel", r[0]+.5*r[2], r[1]+.5*r[3], "deltaX", 0, "deltaY", -240)
		})
	}
	b.wait("location.search.includes('zx=')")
	corner, value := b.pointed(.12, .06)
	b.compareCube(corner, value)
	if corner[1] == 0 || corner[2] == 0 {
		b.t.Errorf("after zooming the corner is %v", corner)
	}
	// Dragging to the right shows smaller indices.
	x, y := r[0]+.5*r[2], r[1]+.5*r[3]
	b.does(func() {
		b.mouse("mousePressed", x, y, "button", "left", "clickCount", 1)
		b.mouse("mouseMoved", x+60, y, "button", "left", "buttons", 1)
		b.mouse("mouseReleased", x+60, y, "button", "left", "clickCount", 1)
	})
	moved, value := b.pointed(.12, .06)
	if b.compareCube(moved, value); moved[2] >= corner[2] || moved[1] != corner[1] {
		b.t.Errorf("dragging moved the corner from %v to %v", corner, moved)
	}
	b.shot("zoomed")
	// The address of the page holds the state of the view.
	address := eval[string](b, "location.href")
	b.open(address)
	if again, _ := b.pointed(.12, .06); !slices.Equal(again, moved) {
		b.t.Errorf("the address shows %v, want %v", again, moved)
	}
	// Show other dimensions along the axes.
	b.open(base + "/view/cube.b2nd?x=0&y=2&at=0,20,0")
	index, value = b.pointed(.3, .4)
	if b.compareCube(index, value); index[1] != 20 {
		b.t.Errorf("the index is %v", index)
	}
	// The colours are those of the values. The picture with x=0 and y=2 is not
	// mirrored.
	first := eval[[]int](b, "(() => { const c = document.querySelector('.plot canvas'), d = devicePixelRatio; return [...c.getContext('2d').getImageData(72*d, 12*d, 1, 1).data] })()")
	last := eval[[]int](b, "(() => { const c = document.querySelector('.plot canvas'), d = devicePixelRatio, r = c.getBoundingClientRect(); return [...c.getContext('2d').getImageData((r.width-92)*d, (r.height-120)*d, 1, 1).data] })()")
	if slices.Equal(first, last) {
		b.t.Errorf("two corners of different values have the colour %v", first)
	}
	b.quiet()
}

func line1d(b *browser, base string) {
	b.open(base + "/view/signal.b2nd")
	if most := eval[string](b, "[...document.querySelectorAll('#stats dt')].find(e => e.textContent === 'maximum').nextSibling.textContent"); most != "4" {
		b.t.Errorf("the peak is lost: the maximum is %s", most)
	}
	b.open(base + "/view/signal.b2nd?zx=34560:34575")
	b.shot("line")
	for x := .1; x < .95; x += .05 {
		if index, value := b.pointed(x, .5); index[0] == 34567 {
			if value != "4" {
				b.t.Errorf("the peak is read as %s", value)
			}
			b.quiet()
			return
		}
	}
	b.t.Error("the peak is not found")
}

// lines shows several lines in one chart. Dragging across a part of it zooms, and keys
// move the cursor.
func lines(b *browser, base string) {
	b.open(base + "/view/cube.b2nd?v=line&n=3&x=2&y=1&at=3,10,0")
	if n := eval[int](b, "document.querySelectorAll('.u-legend .u-series').length"); n != 3 {
		b.t.Errorf("the legend has %d lines", n)
	}
	check := func(index []int, value string) {
		b.t.Helper()
		words := strings.Split(value, " · ")
		if len(words) != 3 {
			b.t.Fatalf("three lines are read as %s", value)
		}
		for i, word := range words {
			want := fmt.Sprintf("dimension 1 = %d %s", 10+i, strconv.FormatFloat(float64(cubeAt(3, 10+i, index[2])), 'g', -1, 32))
			if word != want {
				b.t.Errorf("line %d is read as %s, want %s", i, word, want)
			}
		}
	}
	check(b.pointed(.5, .5))
	b.shot("lines")
	r := eval[[]float64](b, "(() => { const r = document.querySelector('.u-over').getBoundingClientRect(); return [r.x, r.y, r.width, r.height] })()")
	y := r[1] + r[3]/2
	b.does(func() {
		b.mouse("mousePressed", r[0]+.25*r[2], y, "button", "left", "clickCount", 1)
		b.mouse("mouseMoved", r[0]+.4*r[2], y, "button", "left", "buttons", 1)
		b.mouse("mouseMoved", r[0]+.75*r[2], y, "button", "left", "buttons", 1)
		b.mouse("mouseReleased", r[0]+.75*r[2], y, "button", "left", "clickCount", 1)
	})
	b.wait("location.search.includes('zx=')")
	z := eval[[]float64](b, "new URLSearchParams(location.search).get('zx').split(':').map(Number)")
	if math.Abs(z[0]-.25*cubeK) > 2 || math.Abs(z[1]-.75*cubeK) > 2 {
		b.t.Errorf("dragging over the middle half shows %v of %d", z, cubeK)
	}
	index, value := b.pointed(.9, .5)
	if check(index, value); index[2] < cubeK/2 || index[2] > cubeK*3/4 {
		b.t.Errorf("the right of what is shown is item %d", index[2])
	}
	// Move the cursor, and end the zoom, with keys.
	eval[any](b, "document.querySelector('.lines').focus(), document.getElementById('value')?.remove()")
	b.key("ArrowRight")
	b.wait("document.getElementById('value')")
	if next := eval[string](b, "document.getElementById('read').firstChild.textContent"); next != fmt.Sprintf("[3, 10, %d]", index[2]+1) {
		b.t.Errorf("after an arrow from item %d the cursor is at %s", index[2], next)
	}
	b.does(func() { b.key("0") })
	b.wait("!location.search.includes('zx=')")
	b.quiet()
}

// sheet shows the rows of a table of a store, and a column as a line.
func sheet(b *browser) {
	dir := b.t.TempDir()
	makeTable(b.t, filepath.Join(dir, "t.b2z"), 3000)
	_, h := newServer(b.t, dir, nil)
	b.open(h.URL + "/")
	b.click(`[data-path="t.b2z"] .mark`)
	b.wait(`document.querySelector('[data-path="t.b2z/temp"]')`)
	b.does(func() { b.click(`[data-path="t.b2z"] .row`) })
	b.wait(`document.querySelector('.grid')?.innerText.includes('row 1, "b"')`)
	eval[any](b, "document.querySelector('.grid').focus()")
	b.key("End")
	b.wait(`document.querySelector('.grid').innerText.includes('9007199254743991')`)
	b.shot("sheet")
	if rows := eval[int](b, "(async () => (await (await fetch(document.querySelector('[data-format=csv]').href)).text()).trim().split('\\n').length)()"); rows != 3001 {
		b.t.Errorf("the CSV has %d lines", rows)
	}
	b.does(func() { b.click(`[data-path="t.b2z/temp"] .row`) })
	index, value := b.pointed(.5, .5)
	want := strconv.Itoa(index[0] % 40)
	if index[0]%7 == 3 {
		want = "NaN"
	}
	if value != want {
		b.t.Errorf("row %d is read as %s, want %s", index[0], value, want)
	}
	b.quiet()
	// Leave the page before the server ends.
	b.call("Page.navigate", map[string]any{"url": "about:blank"}, nil)
}

// telephone shows the views on a small screen: nothing is wider than the screen.
func telephone(b *browser, base string) {
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": true}, nil)
	for _, view := range []string{"", "view/cube.b2nd", "view/signal.b2nd", "view/table.b2nd", "view/cube.b2nd?v=chunks", "view/cube.b2nd?v=meta"} {
		b.open(base + "/" + view)
		b.shot("telephone-" + strings.NewReplacer("/", "-", "?v=", "-").Replace(view))
		if wide := eval[string](b, "[...document.querySelectorAll('header *, main *')].filter(e => !e.closest('.grid, pre, .skip') && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 100)).join('\\n')"); wide != "" {
			b.t.Errorf("%s: wider than the screen:\n%s", view, wide)
		}
	}
	b.open(base + "/view/cube.b2nd?v=line&n=10&x=2&y=1")
	b.wait("(() => { const u = document.querySelector('.lines'), l = u?.querySelector('.u-legend'); return l && l.offsetHeight > 40 && l.getBoundingClientRect().bottom <= u.getBoundingClientRect().bottom + 1 && u.querySelector('.u-over').offsetHeight > 80 })()")
	b.call("Emulation.clearDeviceMetricsOverride", nil, nil)
	b.quiet()
}

func lastRow(b *browser, base string) {
	b.open(base + "/view/table.b2nd")
	b.wait("document.querySelector('.grid')?.innerText.includes('97 98')")
	eval[any](b, "document.querySelector('.grid').focus()")
	b.key("End")
	b.wait(`[...document.querySelectorAll('.grid [role=row]')].some(r => r.innerText.replace(/\s+/g, ' ').includes(%q))`, fmt.Sprint(99_999*7))
	row := eval[string](b, `[...document.querySelectorAll('.grid [role=row]')].find(r => r.getAttribute('aria-rowindex') === '100001').innerText`)
	for _, want := range []string{"99999", "24999.75", "699993"} {
		if !slices.Contains(strings.Fields(row), want) {
			b.t.Errorf("the last row is %q, without %s", row, want)
		}
	}
	low := eval[[]float64](b, `(() => { const g = document.querySelector('.grid').getBoundingClientRect(), r = [...document.querySelectorAll('.grid [role=row]')].find(r => r.getAttribute('aria-rowindex') === '100001').firstChild.getBoundingClientRect(); return [r.bottom, g.bottom] })()`)
	if low[0] > low[1]+1 {
		b.t.Errorf("the last row ends at %v, below the table, which ends at %v", low[0], low[1])
	}
	b.shot("lastrow")
	b.quiet()
}
