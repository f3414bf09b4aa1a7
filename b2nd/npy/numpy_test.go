package npy_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd/npy"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

// python runs a script with NumPy.
func python(t *testing.T, script string, args ...string) string {
	t.Helper()
	if err := exec.Command("python3", "-c", "import numpy").Run(); err != nil {
		b2test.Missing(t, "python3 with numpy: "+err.Error())
	}
	out, err := exec.Command("python3", append([]string{"-c", script}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, out)
	}
	return string(out)
}

// TestFromNumPy reads files that NumPy wrote: every dtype, shape, order and
// version of the header, alone and in archives.
func TestFromNumPy(t *testing.T) {
	dir := t.TempDir()
	python(t, `
import numpy as np, sys, os
os.chdir(sys.argv[1])
dtypes = ['?', 'i1', 'u1', '<i2', '>i2', '<u4', '<i8', '>f8', '<f2', '<f4', '<f8', '<c8', '<c16', 'S5', '<U3', '<M8[ns]', '<m8[25s]', 'V7',
          [('a', '<i4'), ('b', '<f8', (2,))], np.dtype([('x', 'i1'), ('y', '<f8'), ('z', '<i2')], align=True),
          [('outer', [('i', '>i2'), ('j', 'S3')]), ('k', '?')], [('über', '<i4')], [('数', '<i4')]]
shapes = [(), (0,), (1,), (7,), (3, 4), (4, 1, 5), (2, 0, 3), (2, 3, 4, 5)]
n = 0
for dtype in dtypes:
    dtype = np.dtype(dtype)
    for shape in shapes:
        size = int(np.prod(shape)) * dtype.itemsize
        a = np.frombuffer(bytes((i * 7 + 3) % 251 for i in range(size)), dtype=dtype).reshape(shape) if size else np.zeros(shape, dtype)
        for order in 'CF':
            b = np.array(a, order=order, copy=True)
            np.save(f'{n}.npy', b)
            open(f'{n}.raw', 'wb').write(np.ascontiguousarray(b).tobytes())
            open(f'{n}.txt', 'w').write(repr(list(shape)).replace(',', ''))
            n += 1
        if dtype.names is None:
            for version in (1, 0), (2, 0), (3, 0):
                with open(f'{n}.npy', 'wb') as f:
                    np.lib.format.write_array(f, a, version=version)
                open(f'{n}.raw', 'wb').write(a.tobytes())
                open(f'{n}.txt', 'w').write(repr(list(shape)).replace(',', ''))
                n += 1
x, y = np.arange(1000, dtype='<i4').reshape(10, 100), np.linspace(0, 1, 50)
np.savez('plain.npz', x=x, y=y)
np.savez_compressed('deflated.npz', x=x, y=y)
open('x.raw', 'wb').write(x.tobytes())
`, dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.npy"))
	if err != nil || len(files) < 500 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		base := strings.TrimSuffix(file, ".npy")
		r, err := npy.NewReader(bytes.NewReader(must(os.ReadFile(file))))
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
			continue
		}
		got, err := io.ReadAll(r)
		h := r.Header()
		if want := must(os.ReadFile(base + ".raw")); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %s %v: %d bytes for %d, %v", filepath.Base(file), h.DType, h.Shape, len(got), len(want), err)
		}
		if shape := fmt.Sprint(h.Shape); shape != string(must(os.ReadFile(base+".txt"))) {
			t.Errorf("%s: shape %s", filepath.Base(file), shape)
		}
	}
	for _, name := range []string{"plain.npz", "deflated.npz"} {
		b := must(os.ReadFile(filepath.Join(dir, name)))
		archive, err := npy.OpenArchive(bytes.NewReader(b), int64(len(b)))
		if err != nil || fmt.Sprint(archive.Names()) != "[x y]" {
			t.Fatalf("%s: %v, %v", name, archive.Names(), err)
		}
		r := must(archive.Open("x"))
		if got := must(io.ReadAll(r)); !bytes.Equal(got, must(os.ReadFile(filepath.Join(dir, "x.raw")))) {
			t.Errorf("%s: x has other items", name)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if _, err := archive.Open("z"); err == nil {
			t.Errorf("%s: there is no z", name)
		}
	}
	t.Logf("cases: %d files of NumPy", len(files)+2)
}

// TestToNumPy has NumPy read what we write.
func TestToNumPy(t *testing.T) {
	dir := t.TempDir()
	var wants []string
	write := func(file io.Writer, dtype string, shape []int64, fortran bool) []byte {
		d := must(meta.ParseDType(dtype))
		h := npy.Header{DType: d, Shape: shape, Fortran: fortran}
		data := make([]byte, must(h.Size()))
		for i := range data {
			data[i] = byte(i*7 + 3)
		}
		w := must(npy.NewWriter(file, h))
		must(w.Write(data))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, dtype := range []string{"bool", "<i2", ">i4", "<f4", ">f8", "<c16", "|S5", "<U3", "<M8[ns]", "|V7", "[('a', '<i4'), ('b', '<f8', (2,))]",
		"{'names': ['x', 'y'], 'formats': ['|i1', '<f8'], 'offsets': [0, 8], 'itemsize': 24}", "[('数', '<i4')]", "[('über', '<i4')]"} {
		for _, shape := range [][]int64{{}, {0}, {5}, {3, 4}, {2, 3, 4}} {
			name := fmt.Sprint(len(wants))
			file := must(os.Create(filepath.Join(dir, name+".npy")))
			data := write(file, dtype, shape, len(wants)%2 == 1)
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name+".raw"), data, 0o666); err != nil {
				t.Fatal(err)
			}
			wants = append(wants, dtype)
		}
	}
	zipped := must(os.Create(filepath.Join(dir, "both.npz")))
	archive := npy.NewArchiveWriter(zipped, true)
	for _, name := range []string{"p", "q"} {
		w := must(archive.Create(name, npy.Header{DType: must(meta.ParseDType("<i4")), Shape: []int64{npy.Unknown, 2}}))
		must(w.Write(make([]byte, 24)))
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	out := python(t, `
import numpy as np, sys, os
os.chdir(sys.argv[1])
for n in range(int(sys.argv[2])):
    a = np.load(f'{n}.npy')
    assert a.tobytes(order='A') == open(f'{n}.raw', 'rb').read(), (n, a.dtype, a.shape)
    print(a.dtype.str if a.dtype.names is None else sorted(a.dtype.names), list(a.shape))
z = np.load('both.npz')
assert sorted(z.files) == ['p', 'q'] and z['p'].shape == (3, 2) and not z['q'].any()
`, dir, fmt.Sprint(len(wants)))
	for _, want := range []string{"<U3 [2, 3, 4]", ">f8 []", "['a', 'b'] [5]", "['x', 'y'] [3, 4]", "['über'] [0]"} {
		if !strings.Contains(out, want+"\n") {
			t.Errorf("NumPy read no %s", want)
		}
	}
	t.Logf("cases: %d files for NumPy", len(wants)+1)
}

// must is for what cannot go wrong unless the test itself does.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
