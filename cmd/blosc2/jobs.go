package main

import "runtime"

// jobsFlag is the flag of verbs that process several chunks at a time.
type jobsFlag struct {
	Jobs int
}

func (f *jobsFlag) define(g *grammar) {
	g.natural(&f.Jobs, "jobs", "j", "Process `N` chunks at a time; 0 (default) uses all processors, up to 12. -T and --threads are the same.")
	g.natural(&f.Jobs, "threads", "T", "Same as --jobs `N`.")
	g.synonym("threads", "jobs")
}

// mostJobs is the largest default number of jobs. With it a process that uses
// chunks of 1 MiB and the default codec stays below 64 MiB of memory on any
// machine.
const mostJobs = 12

// workers returns the number of workers for package stream. It may be 0, which means
// the number of processors, or the number that the frame suggests.
func (f jobsFlag) workers() int {
	if f.Jobs == 0 && runtime.GOMAXPROCS(0) > mostJobs {
		return mostJobs
	}
	return f.Jobs
}
