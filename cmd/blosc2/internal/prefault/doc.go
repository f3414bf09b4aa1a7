// Package prefault maps, on Linux, the memory that a program touches in any case before main
// begins, when a program that imports it starts.
//
// Each first access to a page is a page fault, which takes 15 to 40 microseconds on a virtual
// machine without nested page tables. The command has 500 of them before main begins, and
// they are half of the time of a process for a small file. The package makes a few requests
// instead, each of which takes a fraction of a millisecond, and the first sometimes 5:
//
//   - one huge page for the beginning of the heap, where the tables of the packages are: 140
//     faults; and huge pages for the next part of it, if the heap begins in the second half of
//     a block, as Go 1.26 chooses its place at random: in the mean 80 faults of a process that
//     compresses 2 MB;
//   - all pages of the program's code and of its constants, of which the functions that
//     initialize packages touch nearly each piece of 64 KiB: 100 faults. A goroutine makes
//     this request, beside them.
//
// It imports only unsafe, and has a system call of its own, so that it is among the first
// packages that are initialized: with package syscall most of the gain is lost. It may go
// when Go's runtime does this by itself, or when the command starts with few page faults.
// BenchmarkStart of the command measures it.
package prefault
