// Package prefault maps, on Linux, all pages of the code and the constants of a program that
// imports it, when the program starts.
//
// The functions that initialize packages touch nearly each piece of 64 KiB of the code, and
// each first access to a page is a page fault. About 100 of these happen before main begins.
// The package makes a single request instead, in a goroutine, beside these functions. A process
// then takes 4 % less time, and 6 to 11 % less where page faults take 45 microseconds, as on
// some virtual machines. docs/search.md has the measurements.
//
// The package imports nothing, and has a system call of its own, so that it is among the
// first packages that are initialized: with package syscall most of the gain is lost. It may
// go when Go's runtime does this by itself, or when the command starts with few page faults.
// BenchmarkStart of the command measures it.
package prefault
