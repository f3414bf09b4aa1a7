//go:build !unix

package storetest

import "os/exec"

func ofGroup(*exec.Cmd) {}

// killGroup kills a program; those that it has started end with their input.
func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
