package main

import "runtime"

// jobsFlag is for verbs that work on several chunks at the same time.
type jobsFlag struct {
	Jobs int
}

func (f *jobsFlag) define(g *grammar) {
	g.whole(&f.Jobs, "jobs", "j", "Process `N` chunks at a time, also -T N; 0 (default) uses all processors, up to 12.")
	g.whole(&f.Jobs, "threads", "T", "Same as --jobs `N`.")
	g.synonym("threads", "jobs")
}

// mostJobs is how many jobs there are at most unless more are asked for. They
// hold a process that works on chunks of 1 MiB with the default codec under
// 64 MiB of memory, whatever the machine.
const mostJobs = 12

// workers returns the number for package stream, where 0 is as many as there are
// processors, or as the frame asks for.
func (f jobsFlag) workers() int {
	if f.Jobs == 0 && runtime.GOMAXPROCS(0) > mostJobs {
		return mostJobs
	}
	return f.Jobs
}
