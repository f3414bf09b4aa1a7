// Package b2nd reads and writes n-dimensional arrays. An array is a frame with
// a metalayer, b2nd or its predecessor caterva, that tells its shape and how
// it is cut into chunks and blocks; see grid for where an item lies.
package b2nd
