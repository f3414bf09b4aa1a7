// Package npy reads and writes NumPy's files: .npy, which holds one array, and
// .npz, a zip archive of them. Both are streamed: a Reader gives the bytes of
// the items in C order, as b2nd.Writer wants them, and a Writer takes them.
//
// The formats are described in NumPy's numpy.lib.format; versions 1.0, 2.0 and
// 3.0 are read, and the least that will do is written, as NumPy does.
package npy
