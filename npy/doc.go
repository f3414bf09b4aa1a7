// Package npy reads and writes NumPy's files: .npy, one array, and .npz, a zip
// of them. Everything streams; no array is held in memory.
//
// A .npy file is a magic number, a version, the length of a header, the header
// and the items. The header is a Python literal with the dtype, the order of
// the items and the shape. Format: NumPy Enhancement Proposal 1 and the module
// numpy.lib.format. Files are written as NumPy 1.23 and later write them, to
// the byte.
package npy
