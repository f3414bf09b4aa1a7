// Package hugeheap puts the beginning of the heap into huge pages, on Linux, when a program
// that imports it starts.
//
// A program whose packages fill tables touches a few hundred pages of the heap before main
// begins. Each first access to a page of 4 KiB is a page fault, which takes 15 microseconds
// on a virtual machine without nested page tables; for a small file that is an eighth of the
// time of the whole process. The package asks the kernel to make one huge page of the pages
// that are there and of those that follow, which takes half a millisecond.
//
// It imports only unsafe, and has a system call of its own, so that it is among the first
// packages that are initialized: with package syscall most of the gain is lost. It may go
// when Go's runtime does this by itself, or when the command starts with few page faults.
// BenchmarkStart of the command measures it.
package hugeheap
