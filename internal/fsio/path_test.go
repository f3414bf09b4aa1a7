package fsio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

func TestWithPath(t *testing.T) {
	option := &blosc2.OptionError{Option: "level", Value: 12, Range: "0 to 9"}
	for _, c := range []struct {
		err  error
		want string
	}{
		{io.ErrUnexpectedEOF, "open dir/a: unexpected EOF"},
		{&fs.PathError{Op: "stat", Path: "dir/a", Err: fs.ErrNotExist}, "stat dir/a: file does not exist"},
		{&fs.PathError{Op: "open", Path: "dir/a.b2lock", Err: fs.ErrPermission}, "open dir/a.b2lock: permission denied"},
		{&fs.PathError{Op: "open", Path: "chunks.b2frame", Err: fs.ErrNotExist}, "open dir/a: open chunks.b2frame: file does not exist"},
		{fmt.Errorf("copying: %w", &os.LinkError{Op: "rename", Old: "dir/.a.1.tmp", New: "dir/a", Err: fs.ErrPermission}), "copying: rename dir/.a.1.tmp dir/a: permission denied"},
		{option, option.Error()},
	} {
		err := WithPath("open", "dir/a", c.err)
		if err.Error() != c.want || !errors.Is(err, c.err) {
			t.Errorf("%v: %q, want %q", c.err, err, c.want)
		}
	}
	if err := WithPath("open", "a", nil); err != nil {
		t.Error(err)
	}
}
