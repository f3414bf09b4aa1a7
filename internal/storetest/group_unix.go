//go:build unix

package storetest

import (
	"os/exec"
	"syscall"
)

// ofGroup makes a program the leader of a new process group.
func ofGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a program and those that it has started.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
