//go:build wasip1

package main

// Run returns an error, because the library for terminals does not support this system.
func (c *viewCmd) Run(*env) error {
	return misusef("view is not available on this system; cat prints the numbers, plot -o draws them")
}
