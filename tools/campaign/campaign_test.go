package main

import (
	"errors"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"
)

// A few rounds have no findings.
func TestRounds(t *testing.T) {
	debug.SetPanicOnFault(true)
	c, err := newCampaign(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(20) {
		c.round(seed)
	}
	if c.found > 0 || c.streams < 20 || c.damaged < 200 {
		t.Errorf("%d findings, %d streams, %d damaged", c.found, c.streams, c.damaged)
	}
}

// Faulty decoders are found, and their input is kept.
func TestFindings(t *testing.T) {
	debug.SetPanicOnFault(true)
	for name, wrong := range map[string]func(dst, src []byte) error{
		"refuses":    func(dst, src []byte) error { return errors.New("no") },
		"other data": func(dst, src []byte) error { dst[0]++; return nil },
		"panic":      func(dst, src []byte) error { panic("a fault") },
		"fault": func(dst, src []byte) error {
			dst[0] = *(*byte)(unsafe.Add(unsafe.Pointer(&src[0]), len(src)))
			return nil
		},
		"write fault": func(dst, src []byte) error { *(*byte)(unsafe.Add(unsafe.Pointer(&dst[0]), len(dst))) = 1; return nil },
	} {
		dir := t.TempDir()
		c, err := newCampaign(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		f := format{name: "wrong", ours: wrong}
		data := []byte("data data data")
		c.good(&f, "a test", []byte("stream"), data)
		if c.found == 0 {
			t.Errorf("%s: not found", name)
			continue
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != 2*c.found {
			t.Errorf("%s: %d files of %d findings, %v", name, len(files), c.found, err)
			continue
		}
		text, err := os.ReadFile(dir + "/" + strings.TrimSuffix(files[0].Name(), ".bin") + ".txt")
		if err != nil || len(text) == 0 {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// Decoders that decode a damaged stream to different data are a finding.
func TestDisagreement(t *testing.T) {
	c, err := newCampaign(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	f := format{
		name:   "wrong",
		ours:   func(dst, src []byte) error { return nil },
		others: []decoder{{"other", func(dst, src []byte) error { dst[0] = 1; return nil }}},
	}
	c.bad(&f, []byte("stream"), 10)
	if c.found == 0 {
		t.Error("not found")
	}
}
