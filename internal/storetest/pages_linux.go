package storetest

import (
	"testing"

	"golang.org/x/sys/unix"
)

// withoutHugePages makes the programs that the test starts use pages of the usual size.
// The setting is that of the process, and programs inherit it: see prctl(2). With
// transparent huge pages always enabled, what is resident differs by several MiB from
// run to run.
func withoutHugePages(t testing.TB) {
	if err := unix.Prctl(unix.PR_SET_THP_DISABLE, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Prctl(unix.PR_SET_THP_DISABLE, 0, 0, 0, 0); err != nil {
			t.Error(err)
		}
	})
}
