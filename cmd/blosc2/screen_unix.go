//go:build unix

package main

import (
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// cellPixels returns the size of a terminal's cell in pixels, 0 if not known.
func cellPixels(f *os.File) (w, h int) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 || size.Row == 0 {
		return 0, 0
	}
	return int(size.Xpixel / size.Col), int(size.Ypixel / size.Row)
}

// answerTime limits the time for a terminal to answer; a remote one needs a round trip.
const answerTime = 400 * time.Millisecond

// answer writes a query to the terminal and returns its answer up to the attributes.
func (e *env) answer(query string) string {
	fd := int(e.stdin.Fd())
	state, err := term.MakeRaw(fd)
	if err != nil {
		return ""
	}
	defer func() { _ = term.Restore(fd, state) }()
	if _, err := e.stdout.WriteString(query); err != nil {
		return ""
	}
	var got []byte
	for end := time.Now().Add(answerTime); ; {
		left := time.Until(end)
		if left <= 0 {
			break
		}
		poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(poll, int(left.Milliseconds())+1)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			break
		}
		var b [256]byte
		n, err = unix.Read(fd, b[:])
		if err != nil || n <= 0 {
			break
		}
		got = append(got, b[:n]...)
		if _, attributes, ok := strings.Cut(string(got), "\x1b[?"); ok && strings.Contains(attributes, "c") {
			break
		}
	}
	return string(got)
}
