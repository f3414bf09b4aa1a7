//go:build !unix

package storetest

import "os/exec"

func ofGroup(*exec.Cmd) {}

// killGroup kills a program. The programs that it has started end at the end of their
// input.
func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
