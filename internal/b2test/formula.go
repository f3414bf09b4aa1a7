package b2test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Formula makes the payload described by an expression of the manifest's
// "formulas", such as "cat(steps(4,100),zeros(8))".
func Formula(expr string) ([]byte, error) {
	if m := resizedForm.FindStringSubmatch(expr); m != nil {
		return resized(m[1], m[2], m[3])
	}
	p := parser{rest: expr}
	b, err := p.call()
	if err == nil && p.rest != "" {
		err = fmt.Errorf("formula %q: %q is left over", expr, p.rest)
	}
	return b, err
}

// A parser reads "name(argument,…)" where arguments are calls or words.
type parser struct{ rest string }

func (p *parser) word() string {
	n := strings.IndexAny(p.rest, "(,)")
	if n < 0 {
		n = len(p.rest)
	}
	w := p.rest[:n]
	p.rest = p.rest[n:]
	return strings.Trim(strings.TrimSpace(w), `"`)
}

func (p *parser) take(c string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " "), c)
	if ok {
		p.rest = rest
	}
	return ok
}

// call evaluates one function. It evaluates arguments that are calls into parts, and
// collects the other arguments in words.
func (p *parser) call() ([]byte, error) {
	name := p.word()
	if !p.take("(") {
		return nil, fmt.Errorf("formula: %q is not a call", name)
	}
	var words []string
	var parts [][]byte
	for {
		before := p.rest
		if w := p.word(); strings.HasPrefix(p.rest, "(") {
			p.rest = before
			part, err := p.call()
			if err != nil {
				return nil, err
			}
			parts = append(parts, part)
		} else {
			words = append(words, w)
		}
		if p.take(")") {
			break
		}
		if !p.take(",") {
			return nil, fmt.Errorf("formula: %q does not end", name)
		}
	}
	return evaluate(name, words, parts)
}

func evaluate(name string, words []string, parts [][]byte) ([]byte, error) {
	text := ""
	if len(words) > 0 && (name == "ramp" || name == "tenths" || name == "const") {
		text, words = words[0], words[1:]
	}
	n := make([]int, 2)
	for i, w := range words {
		v, err := strconv.Atoi(w)
		if err != nil || v < 0 || i >= len(n) {
			return nil, fmt.Errorf("formula: %s(%s)", name, strings.Join(words, ","))
		}
		n[i] = v
	}
	switch name {
	case "ramp":
		return items(text, n[0], func(i int) float64 { return float64(i) / 4 })
	case "tenths":
		return items(text, n[0], func(i int) float64 { return float64(i) * 0.1 })
	case "steps":
		return steps(n[0], n[1]), nil
	case "noise":
		return noise(n[0], uint32(n[1])), nil
	case "text":
		return lines(n[0]), nil
	case "const":
		v, err := hex.DecodeString(text)
		return []byte(strings.Repeat(string(v), n[0])), err
	case "zeros":
		return make([]byte, n[0]), nil
	case "runs":
		return each(n[0], func(i int) byte { return byte(i / n[1]) }), nil
	case "sparse":
		return each(n[0], func(i int) byte {
			if i%n[1] != 0 {
				return 0
			}
			return byte(i/n[1]%255) + 1
		}), nil
	case "tables":
		b := make([]byte, 0, 4*n[0]*n[1])
		for k := range n[1] {
			for i := range n[0] {
				b = binary.LittleEndian.AppendUint32(b, uint32(i*k))
			}
		}
		return b, nil
	case "cat":
		var b []byte
		for _, part := range parts {
			b = append(b, part...)
		}
		return b, nil
	case "first":
		if len(parts) != 1 || n[0] > len(parts[0]) {
			return nil, fmt.Errorf("formula: first(%d) of fewer items", n[0])
		}
		return parts[0][:n[0]], nil
	}
	return nil, fmt.Errorf("formula: there is no %q", name)
}

// items makes n little-endian items of a type such as "i4". Integers count up; f
// returns the floats.
func items(dtype string, n int, f func(int) float64) ([]byte, error) {
	if len(dtype) != 2 || !strings.Contains("u1 i2 u2 i4 u4 i8 u8 f4 f8", dtype) {
		return nil, fmt.Errorf("formula: type %q", dtype)
	}
	size := int(dtype[1] - '0')
	b := make([]byte, 0, n*size+8)
	for i := range n {
		v := uint64(i)
		switch dtype {
		case "f4":
			v = uint64(math.Float32bits(float32(f(i))))
		case "f8":
			v = math.Float64bits(f(i))
		}
		b = binary.LittleEndian.AppendUint64(b, v)[:(i+1)*size]
	}
	return b, nil
}

func each(n int, f func(i int) byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = f(i)
	}
	return b
}

func steps(typesize, n int) []byte {
	return each(typesize*n, func(k int) byte {
		i, j := k/typesize, k%typesize
		return byte(i>>(2*min(j, 15)) + j)
	})
}

func noise(n int, x uint32) []byte {
	return each(n, func(int) byte {
		x = 1664525*x + 1013904223
		return byte(x >> 24)
	})
}

func lines(n int) []byte {
	var b []byte
	for k := 0; len(b) < n; k++ {
		b = fmt.Appendf(b, "row %06d value %05d;\n", k, k*7919%100000)
	}
	return b[:n]
}

var resizedForm = regexp.MustCompile(`^items of (.*) in shape (\[.*\]), then resized to (\[.*\])$`)

// resized makes an array of the first shape, then reshapes it to the second:
// items in both keep their value, new ones are zero.
func resized(expr, from, to string) ([]byte, error) {
	src, err := Formula(expr)
	if err != nil {
		return nil, err
	}
	var a, b []int
	if err := json.Unmarshal([]byte(from), &a); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(to), &b); err != nil {
		return nil, err
	}
	// The corpus has only one and two dimensions.
	if len(a) == 1 && len(b) == 1 {
		a, b = append([]int{1}, a...), append([]int{1}, b...)
	}
	if len(a) != 2 || len(b) != 2 {
		return nil, fmt.Errorf("formula: resized from %s to %s", from, to)
	}
	if a[0]*a[1] == 0 {
		return make([]byte, 4*b[0]*b[1]), nil // only arrays of i4 are resized from an empty shape
	}
	size := len(src) / (a[0] * a[1])
	dst := make([]byte, size*b[0]*b[1])
	for row := range min(a[0], b[0]) {
		line := src[row*a[1]*size:][:a[1]*size]
		copy(dst[row*b[1]*size:][:b[1]*size], line)
	}
	return dst, nil
}
