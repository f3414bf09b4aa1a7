package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// These are the suffixes that compress adds and decompress removes.
const (
	frameSuffix = ".b2frame"
	arraySuffix = ".b2nd"
	chunkSuffix = ".b2chunk"
	npySuffix   = ".npy"
	csvSuffix   = ".csv"
)

// compressedName returns the name of an input's output without -o.
func compressedName(in, suffix string) string {
	if in == "-" {
		return "-"
	}
	if base, ok := strings.CutSuffix(in, npySuffix); ok && suffix == arraySuffix {
		in = base
	}
	return in + suffix
}

// decompressedName removes the suffix of in, and appends add, which is ".npy" or "",
// unless the name ends with it already.
func decompressedName(in, add string) (string, error) {
	if in == "-" {
		return "-", nil
	}
	if base, ok := cutSuffix(in); ok {
		return strings.TrimSuffix(base, add) + add, nil
	}
	hint := "use -o to name the output"
	for _, f := range otherFormats {
		if filepath.Ext(in) == f.suffix {
			hint = fmt.Sprintf("%s decompresses %s files", f.command, f.suffix)
		}
	}
	return "", fmt.Errorf("the name does not end in %s, %s or %s; %s", frameSuffix, arraySuffix, chunkSuffix, hint)
}

// cutSuffix removes a suffix that compress adds.
func cutSuffix(in string) (base string, ok bool) {
	in = filepath.Clean(in) // a sparse frame is a folder, whose name may end in a slash
	for _, suffix := range []string{frameSuffix, arraySuffix, chunkSuffix} {
		if base, ok := strings.CutSuffix(in, suffix); ok && base != "" && !strings.HasSuffix(base, string(filepath.Separator)) {
			return base, true
		}
	}
	return in, false
}
