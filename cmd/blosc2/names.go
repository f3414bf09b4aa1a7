package main

import (
	"path/filepath"
	"strings"
)

// The suffixes that compress adds and decompress takes off.
const (
	frameSuffix = ".b2frame"
	arraySuffix = ".b2nd"
	chunkSuffix = ".b2chunk"
	npySuffix   = ".npy"
	csvSuffix   = ".csv"
)

// compressedName returns the output's name for an input when there is no -o.
func compressedName(in, suffix string) string {
	if in == "-" {
		return "-"
	}
	if base, ok := strings.CutSuffix(in, npySuffix); ok && suffix == arraySuffix {
		in = base
	}
	return in + suffix
}

// decompressedName is the way back; add is what the payload's name ends in
// beyond that, ".npy" or nothing.
func decompressedName(in, add string) (string, error) {
	if in == "-" {
		return "-", nil
	}
	clean := filepath.Clean(in) // sparse frames are folders: no slash at the end
	for _, suffix := range []string{frameSuffix, arraySuffix, chunkSuffix} {
		if base, ok := strings.CutSuffix(clean, suffix); ok && base != "" && !strings.HasSuffix(base, string(filepath.Separator)) {
			return strings.TrimSuffix(base, add) + add, nil
		}
	}
	return "", misusef("%s: the name does not end in %s, %s or %s; use -o to name the output", in, frameSuffix, arraySuffix, chunkSuffix)
}
