// Package fsio opens, locks, patches, replaces and spools files: for packages
// frame, stream and b2nd.
package fsio
