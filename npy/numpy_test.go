package npy

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// numpy runs a script with Debian's python3-numpy in an empty folder, and returns the
// folder.
func numpy(t *testing.T, script string, args ...string) (dir string, out string) {
	t.Helper()
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		b2test.Missing(t, "python3-numpy: "+err.Error())
	}
	dir = t.TempDir()
	cmd := exec.Command(python, append([]string{"-W", "ignore", "-c", script}, args...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	b, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, stderr.Bytes())
	}
	return dir, string(b)
}

// save makes files of many dtypes, shapes, orders and versions, and prints a description
// of each. Next to NAME.npy it leaves the bytes in the file's order and in C order.
const save = `
import json
import numpy as np
from numpy.lib import format
plain = ['|b1', '|i1', '|u1', '<i2', '>i2', '<u2', '<i4', '>u4', '<i8', '<u8', '<f2', '<f4', '>f4', '<f8', '>f8', '<f16',
         '<c8', '>c16', '|S1', '|S5', '<U1', '<U7', '>U3', '<M8[ns]', '<m8[25s]', '<M8[D]', '|V3', '<M8']
structs = [
    [('a', '<i4')],
    [('a', '<i4'), ('b', '>f8'), ('c', '|S3')],
    [('a', '<i4'), ('b', '<f8', (2,))],
    [('a', '<i4'), ('b', '<f8', (2, 3)), ('c', [('x', '|u1'), ('y', '<c8')])],
    [(('a title', 'a'), '<i4'), ('b', '|b1')],
    [("it's", '<i4'), ('tab\t', '<i2'), ('ba\\ck', '<i2'), ('q"', '|u1'), ('both\'"', '|u1')],
    [('é', '<i4')],
    [('π', '<i4'), ('日本', '<f4')],
    {'names': ['a', 'b'], 'formats': ['<i4', '<f8'], 'offsets': [4, 16], 'itemsize': 32},
    {'names': ['a', 'b', 'c'], 'formats': ['|u1', '<u4', '|u1'], 'offsets': [0, 4, 12], 'itemsize': 16},
    {'names': ['a', 'in'], 'formats': ['|u1', {'names': ['c', 'd'], 'formats': ['|u1', '<i4'], 'offsets': [0, 4], 'itemsize': 12}],
     'offsets': [0, 8], 'itemsize': 24},
    [('a field of a long name %0100d' % i, '<f4') for i in range(900)],
    [('π%0100d' % i, '<f4') for i in range(900)],
]
shapes = [(), (0,), (1,), (7,), (3, 4), (2, 3, 4), (5, 0, 2), (1, 6), (2, 1, 3, 2), (1,) * 8]
rng = np.random.default_rng(1)
count = 0
def one(dtype, shape, fortran=False, version=None):
    global count
    dtype = np.dtype(dtype)
    n = int(np.prod(shape, dtype=np.int64))
    a = np.frombuffer(rng.bytes(n * dtype.itemsize), dtype=dtype, count=n).reshape(shape)
    if dtype.kind == 'b':
        a = np.ones(shape, dtype)
    if fortran:
        a = np.asfortranarray(a)
    name = 'f%04d' % count
    count += 1
    with open(name + '.npy', 'wb') as f:
        format.write_array(f, a, version=version)
    order = 'F' if a.flags.f_contiguous and not a.flags.c_contiguous else 'C'
    open(name + '.file', 'wb').write(a.tobytes(order))
    open(name + '.c', 'wb').write(a.tobytes('C'))
    text = str(dtype) if dtype.names else dtype.str
    print(json.dumps({'Name': name, 'DType': text, 'Fortran': order == 'F', 'Shape': a.shape, 'Chosen': version is None}))
for d in plain:
    for s in [(), (7,), (3, 4)]:
        one(d, s)
for s in shapes:
    for f in (False, True):
        one('<i4', s, f)
        one('|S3', s, f)
for d in structs:
    one(d, (3,))
    one(d, (2, 2), True)
for v in [(1, 0), (2, 0), (3, 0)]:
    one('<f8', (3, 4), True, v)
    one([('a', '<i4'), ('b', '<f8')], (3,), False, v)
`

// A saved is a file that NumPy wrote.
type saved struct {
	Name    string
	DType   string
	Fortran bool
	Shape   []int64
	Chosen  bool // the version was chosen by NumPy

	file, items, inC []byte
}

func savedByNumPy(t *testing.T) (all []saved) {
	t.Helper()
	dir, out := numpy(t, save)
	for line := range strings.Lines(out) {
		var s saved
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		for suffix, b := range map[string]*[]byte{".npy": &s.file, ".file": &s.items, ".c": &s.inC} {
			var err error
			if *b, err = os.ReadFile(filepath.Join(dir, s.Name+suffix)); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, s)
	}
	return all
}

// TestReadNumPy reads files that NumPy saved: the header, the items in the file's
// order, and in C order, with memory for all of them and with little.
func TestReadNumPy(t *testing.T) {
	versions := map[int]int{}
	for _, s := range savedByNumPy(t) {
		r, err := NewReader(bytes.NewReader(s.file))
		if err != nil {
			t.Errorf("%.100v: %v", s.DType, err)
			continue
		}
		h := r.Header
		versions[h.Version]++
		dtype, err := meta.ParseDType(s.DType) // NumPy writes types of one byte without '|' within a list
		if err != nil {
			t.Error(err)
		}
		if h.DType != dtype.String() || h.Fortran != s.Fortran || !slices.Equal(h.Shape, s.Shape) {
			t.Errorf("%.300s, %v, %v: read as %.300s, %v, %v", s.DType, s.Fortran, s.Shape, h.DType, h.Fortran, h.Shape)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, s.items) {
			t.Errorf("%.100s, %v: %d bytes of items, %v", s.DType, s.Shape, len(got), err)
		}
		for _, limit := range []int64{1 << 40, int64(len(s.items))/2 + 1} {
			r, err := NewReader(bytes.NewReader(s.file))
			if err != nil {
				t.Fatal(err)
			}
			c, err := r.COrder(limit)
			if err != nil {
				t.Errorf("%.100s, %v: %v", s.DType, s.Shape, err)
				continue
			}
			if got, err := io.ReadAll(c); err != nil || !bytes.Equal(got, s.inC) {
				t.Errorf("%.100s, %v, limit %d: %d bytes in C order, %v", s.DType, s.Shape, limit, len(got), err)
			}
		}
	}
	if versions[1] < 50 || versions[2] == 0 || versions[3] == 0 {
		t.Errorf("files by version: %v", versions)
	}
}

// TestSameBytes writes each of NumPy's files again, with the file's version and, if NumPy
// chose that version, with 0.
func TestSameBytes(t *testing.T) {
	for _, s := range savedByNumPy(t) {
		h, err := ReadHeader(bytes.NewReader(s.file))
		if err != nil {
			t.Errorf("%.100s: %v", s.DType, err)
			continue
		}
		for _, version := range []int{h.Version, 0} {
			if version == 0 && !s.Chosen {
				continue
			}
			h.Version = version
			var again bytes.Buffer
			w, err := NewWriter(&again, h)
			if err != nil {
				t.Errorf("%.100s: %v", s.DType, err)
				continue
			}
			if _, err := w.Write(s.items); err != nil {
				t.Error(err)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if !bytes.Equal(again.Bytes(), s.file) {
				t.Errorf("other bytes:\n%.300q\n%.300q", again.Bytes(), s.file)
			}
		}
	}
}

// TestNPZ reads our files with NumPy and vice versa, stored and compressed.
func TestNPZ(t *testing.T) {
	const script = `
import sys
import numpy as np
for name, save in (('stored', np.savez), ('packed', np.savez_compressed)):
    a = np.load(sys.argv[1] + '/' + name + '.npz')
    assert a.files == ['numbers', 'grown', 'sub/text'], a.files
    assert a['numbers'].dtype == np.dtype('<i4') and (a['numbers'] == np.arange(6).reshape(2, 3)).all()
    assert a['grown'].dtype == np.dtype('>u2') and (a['grown'] == [[1, 2], [3, 4], [5, 6]]).all()
    assert a['sub/text'].shape == () and a['sub/text'] == b'abc'
    save(name + '.npz', **a)
`
	from := t.TempDir()
	for name, compress := range map[string]bool{"stored": false, "packed": true} {
		f, err := os.Create(filepath.Join(from, name+".npz"))
		if err != nil {
			t.Fatal(err)
		}
		z := NewNPZWriter(f, compress)
		for _, a := range npzArrays {
			w, err := z.Create(a.name, a.header)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, a.items); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	to, _ := numpy(t, script, from)
	for _, dir := range []string{from, to} {
		for _, name := range []string{"stored", "packed"} {
			b, err := os.ReadFile(filepath.Join(dir, name+".npz"))
			if err != nil {
				t.Fatal(err)
			}
			checkNPZ(t, b)
		}
	}
}
