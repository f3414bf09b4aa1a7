package serve

import (
	"os"
	"testing"
)

// TestTour takes pictures of the pages of the server at BLOSC2_TOUR, to look at.
func TestTour(t *testing.T) {
	base := os.Getenv("BLOSC2_TOUR")
	if base == "" {
		t.Skip("BLOSC2_TOUR is not set")
	}
	b := newBrowser(t)
	for name, u := range map[string]string{
		"root": "/", "heat": "/view/cube.b2nd", "line": "/view/signal.b2nd", "table": "/view/table.b2nd", "field": "/view/table.b2nd?v=line&field=Temp",
		"complex": "/view/complex.b2nd?part=angle&pal=magma", "chunks": "/view/cube.b2nd?v=chunks", "meta": "/view/cube.b2nd?v=meta", "frame": "/view/sub/era5.b2frame?v=line", "grid": "/view/cube.b2nd?v=table&at=3,0,0",
		"zoom": "/view/cube.b2nd?zx=100:140&zy=20:50",
	} {
		b.open(base + u)
		b.shot(name)
	}
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	b.open(base + "/view/cube.b2nd?at=7,0,0")
	b.shot("dark")
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": true}, nil)
	b.open(base + "/view/signal.b2nd")
	b.shot("phone")
	for _, c := range b.complaints() {
		t.Error(c)
	}
}
