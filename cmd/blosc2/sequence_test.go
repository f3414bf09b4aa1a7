package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/stream"
)

// Every flipped bit of the first 200 bytes of the second and third frame of a
// sequence makes verify and decompress fail.
func TestFlippedSequence(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "three.b2frame")
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	try := func(args ...string) int {
		return run(append(append([]string{"blosc2"}, args...), name), null, null, null)
	}

	var parts [3]bytes.Buffer
	for i := range parts {
		w, err := stream.NewWriter(&parts[i], stream.ChunkSize(500))
		if err == nil {
			_, err = w.Write(bytes.Repeat([]byte{1, 2, 3, byte(i)}, 300))
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	whole := bytes.Join([][]byte{parts[0].Bytes(), parts[1].Bytes(), parts[2].Bytes()}, nil)
	write := func(b []byte) {
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
		hourAgo := time.Now().Add(-time.Hour) // nobody is waited for who may be writing it
		if err := os.Chtimes(name, hourAgo, hourAgo); err != nil {
			t.Fatal(err)
		}
	}
	write(whole)
	if n := try("verify", "-q", "-j1"); n != exitDone {
		t.Fatalf("verify of the whole: exit %d", n)
	}
	step := 1
	if testing.Short() {
		step = 7
	}
	for _, start := range []int{parts[0].Len(), parts[0].Len() + parts[1].Len()} {
		for bit := 0; bit < 200*8; bit += step {
			b := bytes.Clone(whole)
			b[start+bit/8] ^= 1 << (bit % 8)
			write(b)
			if n := try("verify", "-q", "-j1"); n != exitFailed {
				t.Errorf("verify: bit %d of the frame at %d: exit %d", bit, start, n)
			}
			if n := try("decompress", "-q", "-j1", "-o", "-"); n != exitFailed {
				t.Errorf("decompress: bit %d of the frame at %d: exit %d", bit, start, n)
			}
		}
	}
}
