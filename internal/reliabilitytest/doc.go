// Package reliabilitytest tries the promises of the library on damage of every
// kind: flipped bits, files cut short, bytes replaced, writers killed, power
// cut, disks full. What a single package can show by itself is tested there;
// here are the figures that the README's table of reliability lists.
//
// go test runs a short form. The full one, which the figures come from, is
//
//	BLOSC2_FULL=1 go test -v -timeout 3h ./internal/reliabilitytest
package reliabilitytest
