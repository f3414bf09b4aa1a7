package chunk_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// blosc1 builds the program around the genuine Blosc1 (Debian's libblosc-dev).
func blosc1(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "blosc1")
	if out, err := exec.Command("cc", "-o", program, filepath.Join("testdata", "blosc1.c"), "-lblosc").CombinedOutput(); err != nil {
		b2test.Missing(t, fmt.Sprintf("a C compiler and Blosc1 (libblosc-dev): %v\n%s", err, out))
	}
	return program
}

// TestBlosc1 writes chunks that the genuine Blosc1 reads, and reads those that it wrote.
func TestBlosc1(t *testing.T) {
	program := blosc1(t)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	run := func(src []byte, args ...string) ([]byte, error) {
		if err := os.WriteFile(in, src, 0o666); err != nil {
			t.Fatal(err)
		}
		if msg, err := exec.Command(program, append(args, in, out)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("blosc1 %v: %w: %s", args, err, msg)
		}
		return os.ReadFile(out)
	}
	r := newRand(11)
	codecs := []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecSnappy, blosc2.CodecZlib, blosc2.CodecZstd}
	lists := []string{"", "shuffle", "bitshuffle"}
	var d chunk.Decoder
	written, read := 0, 0
	for k := range 200 {
		p, n := randomParams(t, r)
		if senseless(p, n) {
			continue
		}
		p.Codec, p.Format = codecs[k%len(codecs)], chunk.Blosc1
		p.Split = blosc2.SplitMode(k % 5)
		shuffle := r.IntN(3)
		p.Filters = pipeline(t, lists[shuffle])
		src := payload(n, p.TypeSize, uint64(k))
		what := fmt.Sprintf("case %d: %+v, %d bytes", k, p, n)
		ours := encode(t, p, src)
		if ours[0] != chunk.VersionBlosc1 || len(ours) > n+chunk.MinHeaderLen {
			t.Errorf("%s: version %d, %d bytes", what, ours[0], len(ours))
		}
		if got, err := d.Decode(nil, ours); err != nil || !bytes.Equal(got, src) {
			t.Errorf("%s: we decode %d bytes, %v", what, len(got), err)
		}
		if n > 0 { // Blosc1 does not make empty chunks
			if got, err := run(ours, "d"); err != nil || !bytes.Equal(got, src) {
				t.Errorf("%s: Blosc1 decodes %d bytes, %v", what, len(got), err)
			}
			written++
			theirs, err := run(src, "c", p.Codec.String(), strconv.Itoa(p.Level), strconv.Itoa(shuffle), strconv.Itoa(p.TypeSize), strconv.Itoa(p.BlockSize))
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			if got, err := d.Decode(nil, theirs); err != nil || !bytes.Equal(got, src) {
				t.Errorf("%s: of Blosc1's chunk we decode %d bytes, %v", what, len(got), err)
			}
			read++
		}
	}
	t.Logf("%d chunks written, %d read", written, read)
}
