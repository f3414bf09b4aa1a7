package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// saveArrays is a NumPy program that saves arrays of every kind of dtype, each as
// NAME.npy, in C order as NAME.c.npy, and windows of it as NAME.0.npy, …. It prints
// the names with the windows.
const saveArrays = `
import numpy as np
rng = np.random.default_rng(6)
arrays = {}
for text in ('i1', 'u1', '<i2', '>i2', '<u4', '>i8', '<f2', '<f4', '>f4', '<f8', '<c8', '>c16', '?', 'S5', '<U3', '>U3',
             '<M8[ns]', '>M8[D]', '<M8[25s]', 'm8[s]', 'M8', 'V7', 'S300'):
    d = np.dtype(text)
    a = np.frombuffer(rng.bytes(24 * d.itemsize), 'u1')
    if d.kind == 'b':
        a = a & 1
    if d.kind == 'U':
        a = np.array([chr(97 + i % 26) * (i % 4) for i in range(24)], dtype=d)
    arrays['plain%d' % len(arrays)] = np.frombuffer(a.tobytes(), d).reshape(2, 3, 4)
struct = np.dtype([('a', '<i4'), ('b', '>f8', (2,)), ('s', 'S3'), ('n', [('x', 'u1'), ('y', '<M8[s]')])])
arrays['struct'] = np.frombuffer(rng.bytes(10 * struct.itemsize), struct).reshape(5, 2)
arrays['aligned'] = np.zeros((3, 2), np.dtype([('a', 'u1'), ('b', '<f8')], align=True))
arrays['empty'] = np.zeros((0, 3))
arrays['scalar'] = np.array(3.5)
arrays['fortran'] = np.asfortranarray(rng.normal(size=(20, 30, 7)))
arrays['walk'] = np.cumsum(rng.normal(size=(300, 401)), axis=1).astype('f4')
arrays['deep'] = np.arange(2**16, dtype='i2').reshape((2,) * 16)
for name, a in arrays.items():
    np.save(name + '.npy', a)
    windows = {2: ['1::2,-1', ':,0:2', '::-1', '-1:0:-2,::-1'], 3: ['0:10,:,1', '-1,1:3,::2', '...,::-1'], 16: ['1,' * 14 + ':,0']}.get(a.ndim, [])
    if a.size == 0:
        windows = []
    if name == 'aligned': # NumPy does not copy what is between the fields of items in another order
        windows = windows[:2]
    for i, w in enumerate(windows):
        np.save('%s.%d.npy' % (name, i), np.ascontiguousarray(eval('a[%s]' % w)))
    print(name, *windows)
`

// TestNumPy converts NumPy's files to arrays and back to the same bytes, and
// compares windows with NumPy's.
func TestNumPy(t *testing.T) {
	const python = "/usr/bin/python3" // Debian's, with python3-numpy
	dir := t.TempDir()
	cmd := exec.Command(python, "-c", saveArrays)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		b2test.Missing(t, "python3-numpy: "+err.Error())
	}
	blosc2 := func(args ...string) {
		t.Helper()
		stderr, err := os.Create(filepath.Join(dir, "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		defer stderr.Close()
		if status := run(append([]string{"blosc2", "-q"}, args...), os.Stdin, stderr, stderr); status != exitDone {
			said, _ := os.ReadFile(stderr.Name())
			t.Errorf("%v: exit status %d: %s", args, status, said)
		}
	}
	arrays, windows := 0, 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		path := filepath.Join(dir, words[0])
		blosc2("compress", path+".npy")
		blosc2("decompress", path+".b2nd", "-o", path+".out")
		same(t, path+".out", path+".npy")
		for i, w := range words[1:] {
			blosc2("slice", path+".b2nd", w, "-o", path+".cut", "--force")
			same(t, path+".cut", path+"."+string(rune('0'+i))+".npy")
			windows++
		}
		arrays++
	}
	if arrays != 30 || windows < 80 {
		t.Errorf("%d arrays and %d windows", arrays, windows)
	}
	t.Logf("cases: %d arrays of NumPy and back, %d windows", arrays, windows)
}
