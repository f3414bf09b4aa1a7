package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// A Watch waits for changes of a file and of the file at its path, by inotify. It
// is for one goroutine.
type Watch struct {
	every time.Duration
	in    interface {
		io.ReadCloser
		SetReadDeadline(time.Time) error
	} // nil if the Watch polls
	fd   int
	wd   int // watch descriptor of the file
	buf  []byte
	path string
}

// New returns a Watch of a path. It polls if poll is set, or if there is no
// notification.
func New(path string, poll time.Duration) *Watch {
	w := &Watch{every: poll, path: path, wd: -1}
	if poll > 0 {
		return w
	}
	w.every = Every
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return w
	}
	_, err = unix.InotifyAddWatch(fd, filepath.Dir(path), unix.IN_CREATE|unix.IN_MOVED_TO)
	if err != nil {
		unix.Close(fd)
		return w
	}
	w.fd, w.in, w.every, w.buf = fd, os.NewFile(uintptr(fd), "inotify"), lookEvery, make([]byte, 4096)
	return w
}

// Add watches a file in place of the previous one.
func (w *Watch) Add(file *File) {
	if w.in == nil {
		return
	}
	if w.wd >= 0 {
		unix.InotifyRmWatch(w.fd, uint32(w.wd))
	}
	var err error
	const events = unix.IN_MODIFY | unix.IN_ATTRIB
	w.wd, err = unix.InotifyAddWatch(w.fd, fmt.Sprintf("/proc/self/fd/%d", file.Fd()), events)
	if err != nil {
		w.wd, err = unix.InotifyAddWatch(w.fd, w.path, events)
	}
	if err != nil { // there are too many watches, for example
		w.Close()
		w.every = Every
	}
}

// Wait returns when something has changed since it returned last, after some
// time, or when ctx is done.
func (w *Watch) Wait(ctx context.Context) {
	if w.in == nil {
		Sleep(ctx, w.every)
		return
	}
	in := w.in
	in.SetReadDeadline(time.Now().Add(w.every))
	stop := context.AfterFunc(ctx, func() { in.SetReadDeadline(time.Unix(1, 0)) })
	_, err := in.Read(w.buf)
	stop()
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		Sleep(ctx, Every)
	}
}

// Close ends the Watch. It may be called more than once.
func (w *Watch) Close() {
	if w.in != nil {
		w.in.Close()
		w.in = nil
	}
}
