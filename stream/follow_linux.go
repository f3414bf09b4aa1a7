package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// A watch waits for changes of a file and of what its path names, by inotify.
type watch struct {
	every time.Duration
	in    interface {
		io.ReadCloser
		SetReadDeadline(time.Time) error
	} // nil: it polls
	fd   int
	wd   int // of the file
	buf  []byte
	path string
}

// newWatch returns a watch of a path. It polls where poll is set, and where
// there is no notification.
func newWatch(path string, poll time.Duration) *watch {
	w := &watch{every: poll, path: path, wd: -1}
	if poll > 0 {
		return w
	}
	w.every = pollEvery
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return w
	}
	_, err = unix.InotifyAddWatch(fd, filepath.Dir(path), unix.IN_CREATE|unix.IN_MOVED_TO)
	if err != nil {
		unix.Close(fd)
		return w
	}
	w.fd, w.in, w.every, w.buf = fd, newPolled(fd), lookEvery, make([]byte, 4096)
	return w
}

// add watches a file instead of the one before it.
func (w *watch) add(file *followed) {
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
	if err != nil { // too many watches, for example
		w.close()
		w.every = pollEvery
	}
}

// wait returns when something has changed since it returned last, after some
// time, or when ctx is done.
func (w *watch) wait(ctx context.Context) {
	if w.in == nil {
		sleep(ctx, w.every)
		return
	}
	in := w.in
	in.SetReadDeadline(time.Now().Add(w.every))
	stop := context.AfterFunc(ctx, func() { in.SetReadDeadline(time.Unix(1, 0)) })
	_, err := in.Read(w.buf)
	stop()
	if err != nil && !errors.Is(err, errDeadline) {
		sleep(ctx, pollEvery)
	}
}

func (w *watch) close() {
	if w.in != nil {
		w.in.Close()
		w.in = nil
	}
}
