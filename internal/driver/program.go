package driver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
)

// Name returns the name of the driver's program.
func Name(scheme string) string { return "blosc2-remote-" + scheme }

// modules maps schemes to the modules of this project's drivers.
var modules = map[string]string{"s3": "s3", "gs": "gcs", "az": "azure"}

// Start starts the driver of a scheme: the program in the folder of this one, or else
// the one in PATH. endpoint is the URL of the store, empty for the default. Close of
// the Client waits for the end of the driver.
func Start(scheme, endpoint string) (*Client, error) {
	program, err := Find(Name(scheme))
	if err != nil {
		return nil, missing(scheme)
	}
	cmd := exec.Command(program, "serve", endpoint)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := New(in, out)
	c.wait = cmd.Wait
	return c, nil
}

// Find returns the path of a program in the folder of this one, or else in PATH.
func Find(name string) (string, error) {
	if self, err := os.Executable(); err == nil {
		if self, err = filepath.EvalSymlinks(self); err == nil {
			beside := filepath.Join(filepath.Dir(self), name)
			if runtime.GOOS == "windows" {
				beside += ".exe"
			}
			if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
				return beside, nil
			}
		}
	}
	return exec.LookPath(name)
}

// missing returns the error for a scheme without a driver.
func missing(scheme string) error {
	folder := ""
	if module, ok := modules[scheme]; ok {
		folder = "remote/" + module
	}
	return Missing(Name(scheme), scheme+":// names", folder)
}

// Missing returns the error for a program that Find does not find. what names the
// objects that the program reads and writes. folder is the program's folder in this
// repository; it is empty for other programs.
func Missing(program, what, folder string) error {
	text := fmt.Sprintf("the program %s, which reads and writes %s, is neither beside blosc2 nor in PATH", program, what)
	if folder != "" {
		text += fmt.Sprintf("; go install github.com/seed03b80dae/blosc2/%s/%s@latest installs it", folder, program)
	} else {
		text += "; the names of known stores begin with s3://, gs:// or az://"
	}
	return fmt.Errorf("%s%w", text, hidden{exec.ErrNotFound})
}

// A hidden wraps an error without showing its text.
type hidden struct{ error }

func (h hidden) Error() string { return "" }
func (h hidden) Unwrap() error { return h.error }

// Main is the main function of the driver of a scheme. open returns its store.
func Main(scheme string, open func(endpoint string) (Store, error)) {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "serve":
	case len(os.Args) == 2 && os.Args[1] == "--version":
		version := "of an unknown version"
		if info, ok := debug.ReadBuildInfo(); ok {
			version = info.Main.Version
		}
		fmt.Println(Name(scheme), version)
		return
	default:
		fmt.Fprintf(os.Stderr, "%s: reads and writes %s:// names for blosc2, which runs it; must be installed in the folder of blosc2 or in PATH\n", Name(scheme), scheme)
		os.Exit(2)
	}
	// Ignore signals: the program that started this one also receives them, and may
	// still have an upload to drop. This one ends with its input.
	signal.Ignore(endings...)
	store, err := open(os.Args[2])
	if err != nil {
		store = noStore{err}
	}
	// Most of an upload's memory stays in use; garbage should not double it.
	uploads := func() { debug.SetGCPercent(20) }
	if err := serve(os.Stdin, os.Stdout, store, uploads); err != nil && !errors.Is(err, os.ErrClosed) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", Name(scheme), err)
		os.Exit(1)
	}
}

// A noStore is a store that could not be opened.
type noStore struct{ err error }

func (s noStore) Object(string) (remote.Backend, error) { return nil, s.err }
func (s noStore) Delete(context.Context, string) error  { return s.err }
func (s noStore) Shared(context.Context, string, string) (parts.Object, error) {
	return nil, s.err
}
func (s noStore) Put(string) (parts.Object, error) { return nil, s.err }
