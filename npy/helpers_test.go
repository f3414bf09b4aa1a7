package npy

import (
	"bytes"
	"io"
	"slices"
	"testing"
)

// checkNPZ checks that a file holds npzArrays.
func checkNPZ(t *testing.T, b []byte) {
	t.Helper()
	z, err := OpenNPZ(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	names := z.Names()
	for i, a := range npzArrays {
		if i >= len(names) || names[i] != a.name {
			t.Fatalf("names %v", names)
		}
		m, err := z.Open(a.name)
		if err != nil {
			t.Fatal(err)
		}
		items, err := io.ReadAll(m)
		if err != nil || string(items) != a.items || m.Header.DType != a.header.DType || !slices.Equal(m.Header.Shape, a.shape) {
			t.Errorf("%s: %+v, %q, %v", a.name, m.Header, items, err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// file returns a file of version 1 whose header is the given text.
func file(text string) string {
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), byte(len(text) >> 8)}) + text
}

var npzArrays = []struct {
	name   string
	header Header
	shape  []int64
	items  string
}{
	{"numbers", Header{DType: "<i4", Shape: []int64{2, 3}}, []int64{2, 3}, "\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00\x00\x05\x00\x00\x00"},
	{"grown", Header{DType: ">u2", Shape: []int64{Unknown, 2}}, []int64{3, 2}, "\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06"},
	{"sub/text", Header{DType: "|S3"}, []int64{}, "abc"},
}
