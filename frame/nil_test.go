package frame_test

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A nil argument returns an error wherever a frame is opened or made.
func TestNil(t *testing.T) {
	b2test.Refuses(t, map[string]func() error{
		"AppendLog": func() error { _, _, err := frame.AppendLog(nil, 100); return err },
		"Concat":    func() error { return frame.Concat(nil, nil) },
		"Concat of a nil frame": func() error {
			return frame.Concat(new(memoryFile), []*frame.Reader{nil})
		},
		"CreateSparse without a directory": func() error { return b2test.Fail(frame.CreateSparse(nil, nil)) },
		"CreateSparse without a header":    func() error { return b2test.Fail(frame.CreateSparse(frame.OSDir(t.TempDir()), nil)) },
		"Edit":                             func() error { return b2test.Fail(frame.Edit(nil, 100)) },
		"EditSparse":                       func() error { return b2test.Fail(frame.EditSparse(nil)) },
		"Follows without a source":         func() error { return b2test.Fail(frame.Follows(nil, nil, 0)) },
		"NewBuilder":                       func() error { return b2test.Fail(frame.NewBuilder(nil)) },
		"Open":                             func() error { return b2test.Fail(frame.Open(nil, 0)) },
		"OpenFS":                           func() error { return b2test.Fail(frame.OpenFS(nil)) },
		"Renew":                            func() error { return frame.Renew(nil, 100) },
		"Repair without a destination": func() error {
			return b2test.Fail(frame.Repair(nil, bytes.NewReader(nil), 0))
		},
		"Repair without a source": func() error { return b2test.Fail(frame.Repair(new(memoryFile), nil, 0)) },
		"Seal":                    func() error { return frame.Seal(nil, 100) },
		"Seal of nothing":         func() error { return frame.Seal(nil, 0) },
		"Verify":                  func() error { return b2test.Fail(frame.Verify(nil, 100)) },
		"Walker": func() error {
			w := frame.NewWalker(nil)
			_, err := w.Next(nil)
			return err
		},
	})
}
