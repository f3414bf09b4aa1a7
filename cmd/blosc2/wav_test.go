package main

import (
	"bytes"
	"os"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// makeWAV FILE CHANNELS FRAMES: writes a file of sound.
func makeWAV(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: wav FILE CHANNELS FRAMES")
	}
	channels, err := strconv.Atoi(args[1])
	ts.Check(err)
	frames, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), wavBytes(channels, frames), 0o666))
}

// Files of sound round-trip. Files with the suffix of sound that cannot be parsed are
// compressed as bytes.
func FuzzWAV(f *testing.F) {
	f.Add(wavBytes(1, 10))
	f.Add(wavBytes(2, 3)[:60])
	f.Add([]byte("RIFF\x00\x00\x00\x00WAVEdata\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		w := parseWAV(bytes.NewReader(b), int64(len(b)))
		if w == nil {
			return
		}
		got := append(bytes.Clone(w.head), b[len(w.head):int64(len(w.head))+w.size]...)
		if got = append(got, w.tail...); !bytes.Equal(got, b) {
			t.Errorf("%d bytes became %d", len(b), len(got))
		}
		n := int64(1)
		for _, d := range w.shape() {
			n *= d
		}
		if n == 0 && w.size > 0 || n > 0 && w.size%n != 0 {
			t.Errorf("%d bytes of samples in shape %v", w.size, w.shape())
		}
	})
}
