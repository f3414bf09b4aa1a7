package main

import (
	"os/exec"
	"syscall"
	"testing"
)

// BenchmarkStart measures a process that does nothing but begin and end, and its page faults.
func BenchmarkStart(b *testing.B) {
	var faults int64
	for b.Loop() {
		cmd := exec.Command("blosc2", "--version")
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		faults += int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Minflt)
	}
	b.ReportMetric(float64(faults)/float64(b.N), "faults/op")
}
