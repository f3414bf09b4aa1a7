// Package fsio opens, locks, patches, replaces and spools files: what packages
// frame, stream and b2nd do with the file system, in one place.
package fsio
