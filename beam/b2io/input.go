package b2io

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// An Input is a file that a pipeline reads, as it was when the pipeline was made.
type Input struct {
	Name    string
	Size    int64  // size in bytes
	Version string // size and ETag, or size and time of the last change
}

// InputOf opens a file by its path or URL, and returns it as an Input.
func InputOf(ctx context.Context, name string) (Input, error) {
	file, err := Open(ctx, name)
	if err != nil {
		return Input{}, err
	}
	defer file.Close()
	in := Input{Name: name, Size: file.Size(), Version: fmt.Sprintf("%d bytes", file.Size())}
	switch f := file.(type) {
	case interface{ Version() string }:
		in.Version += ", version " + f.Version()
	case interface{ Stat() (fs.FileInfo, error) }:
		info, err := f.Stat()
		if err != nil {
			return Input{}, err
		}
		in.Version += " of " + info.ModTime().UTC().Format(time.RFC3339Nano)
	}
	return in, nil
}

// check returns an error if the file has changed.
func (in *Input) check(ctx context.Context) error {
	now, err := InputOf(ctx, in.Name)
	if err == nil && now.Version != in.Version {
		err = fmt.Errorf("b2io: %s: changed while it was read: %s, not %s", in.Name, now.Version, in.Version)
	}
	return err
}

// CheckNumbers opens the frames and arrays that Read would read, and returns an error
// if one of them cannot be opened or its items are not numbers.
func CheckNumbers(ctx context.Context, names ...string) error {
	for _, name := range names {
		files, err := match(name)
		if err != nil {
			return err
		}
		for _, file := range files {
			src, err := openSource(ctx, file)
			if err != nil {
				return err
			}
			w := src.window()
			src.close()
			if _, err := w.Floats(nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// match returns the files that a name or pattern names.
func match(name string) ([]string, error) {
	if isURL(name) || !strings.ContainsAny(name, `*?[`) {
		return []string{name}, nil
	}
	files, err := filepath.Glob(name)
	if err == nil && len(files) == 0 {
		err = errors.New("no file matches")
	}
	if err != nil {
		return nil, fmt.Errorf("b2io: %s: %w", name, err)
	}
	return files, nil
}
