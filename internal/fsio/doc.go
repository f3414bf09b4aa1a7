// Package fsio opens, locks, patches, replaces and spools files. It is for packages
// frame, stream and b2nd.
package fsio
