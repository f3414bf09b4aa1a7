package containertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Parse reads a file's entry in a manifest.
func Parse(b []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return Plain(v), err
}

// Plain returns a copy of a value that encoding/json decoded from a manifest, with
// each json.Number converted to a type that this package returns.
func Plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if n, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = Plain(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = Plain(v[k])
		}
		return out
	}
	return v
}

// Diff returns a line for each difference. The manifest omits the values of long
// arrays and of computed columns.
func Diff(want, got any) []string { return diff("", want, got) }

func diff(at string, want, got any) []string {
	w, isMap := want.(map[string]any)
	g, alsoMap := got.(map[string]any)
	if isMap && alsoMap {
		var out []string
		var keys []string
		for k := range w {
			keys = append(keys, k)
		}
		for k := range g {
			if _, ok := w[k]; !ok {
				keys = append(keys, k)
			}
		}
		slices.Sort(keys)
		for _, k := range keys {
			_, wanted := w[k]
			switch {
			case k == "computed", k == "values" && !wanted && w["type"] == any("ndarray"):
			default:
				out = append(out, diff(at+"/"+k, w[k], g[k])...)
			}
		}
		return out
	}
	wl, isList := want.([]any)
	gl, alsoList := got.([]any)
	if isList && alsoList && len(wl) == len(gl) {
		var out []string
		for i := range wl {
			out = append(out, diff(fmt.Sprintf("%s[%d]", at, i), wl[i], gl[i])...)
		}
		return out
	}
	if reflect.DeepEqual(want, got) || sameFloat(want, got) {
		return nil
	}
	return []string{fmt.Sprintf("%s: want %s, got %s", strings.TrimPrefix(at, "/"), short(want), short(got))}
}

// sameFloat compares floats by their bits, and with JSON's whole numbers by value.
func sameFloat(want, got any) bool {
	g, ok := got.(float64)
	if !ok {
		return false
	}
	switch w := want.(type) {
	case float64:
		return math.Float64bits(w) == math.Float64bits(g)
	case int64:
		return float64(w) == g
	}
	return false
}

func short(v any) string {
	s := fmt.Sprintf("%#v", v)
	if len(s) > 200 {
		s = s[:200] + " ..."
	}
	return s
}
