package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/seed03b80dae/blosc2/shuffle"
)

// These are the version and the commit of a release. The linker sets them (see
// .ci/release).
var released, commit string

// versionCmd is "blosc2 --version".
type versionCmd struct{}

func (*versionCmd) define(*grammar) {}

// Run prints the version of the program and the platform.
func (*versionCmd) Run(e *env) error {
	_, err := fmt.Fprintf(e.stdout, "blosc2 %s\n%s %s/%s, kernels %s of %s\n", version(),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, shuffle.Tier(), join(shuffle.Tiers()))
	return err
}

// version returns the version and the commit that the program was built from.
func version() string {
	if released != "" {
		return released + " (commit " + commit + ")"
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	text := strings.Trim(info.Main.Version, "()")
	var at, changed string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			at = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", changed"
		}
	}
	if text == "" {
		text = "devel"
	}
	if at != "" {
		text += " (commit " + at + changed + ")"
	}
	return text
}
