package b2nd

import (
	"bytes"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

type cLayout struct {
	_ struct{} `blosc2:",align"`
	A uint8
	B float64
	C uint16 `blosc2:"c"`
	D complex128
	E [3]uint8
	F [2]struct {
		X uint8
		Y float32
	}
}

// NumPy makes the same types of our dtypes' texts, and those of C layouts equal
// NumPy's with align=True.
func TestDTypeNumPy(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		b2test.Missing(t, "python3-numpy: "+err.Error())
	}
	for _, c := range []struct {
		numpy string // the dtype as an argument for NumPy
		dtype func() (string, int)
	}{
		{"'<f4'", dtypeText[float32](t)},
		{"'?'", dtypeText[bool](t)},
		{"'V5'", dtypeText[[5]byte](t)},
		{"[('flag','?'),('time','M8[ns]'),('site','S5'),('pair','f4',(2,)),('where',[('Row','u2'),('At','c8')])]", dtypeText[sample](t)},
		{"np.dtype([('A','u1'),('B','f8'),('c','u2'),('D','c16'),('E','u1',(3,)),('F',np.dtype([('X','u1'),('Y','f4')],align=True),(2,))],align=True)", dtypeText[cLayout](t)},
	} {
		text, size := c.dtype()
		script := "import numpy as np, ast\nwant = np.dtype(" + c.numpy + ")\n" +
			"text = " + strconv.Quote(text) + "\n" +
			"got = np.dtype(ast.literal_eval(text) if text[0] in '[{' else text)\n" +
			"print(got == want or [(n, got.fields[n]) for n in got.names] == [(n, want.fields[n]) for n in want.names], got.itemsize)"
		var stderr bytes.Buffer
		cmd := exec.Command(python, "-W", "ignore", "-c", script)
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil || strings.TrimSpace(string(out)) != "True "+strconv.Itoa(size) {
			t.Errorf("%s, %d bytes: NumPy says %s%s (%v)", text, size, out, stderr.Bytes(), err)
		}
	}
}

func dtypeText[T any](t *testing.T) func() (string, int) {
	t.Helper()
	d, err := DType[T]()
	if err != nil {
		t.Fatal(err)
	}
	return func() (string, int) { return d.String(), d.Size }
}
