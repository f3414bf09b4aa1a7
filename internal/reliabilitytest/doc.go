// Package reliabilitytest tests the promises of the library with many kinds of damage:
// flipped bits, files cut short, bytes replaced, writers killed, power cut, disks full.
// It produces the figures in docs/reliability.md. Promises that concern a single
// package are tested in that package.
//
// go test runs a short form. The full one, which the figures come from, is
//
//	BLOSC2_FULL=1 go test -v -timeout 3h ./internal/reliabilitytest
package reliabilitytest
