package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// These are the intervals of events.
const (
	pollEvery = 200 * time.Millisecond
	aliveTime = 15 * time.Second // a comment keeps proxies from closing the connection
)

// maxListeners is the number of connections that may wait for events.
const maxListeners = 128

var listeners atomic.Int32

// A change is the data of an event.
type change struct {
	Path  string  `json:"path"`
	Size  int64   `json:"size"`
	Tag   string  `json:"tag"`
	Shape []int64 `json:"shape,omitempty"`
	Error string  `json:"error,omitempty"`
}

// events sends an event "change" whenever a file or folder changes.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	if !s.Watch {
		return statusf(http.StatusNotFound, "the server does not watch files; start it with --watch")
	}
	if listeners.Add(1) > maxListeners {
		listeners.Add(-1)
		return errBusy
	}
	defer listeners.Add(-1)
	if _, err := s.find(r.PathValue("path")); err != nil {
		return err
	}
	c := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(text string) bool {
		c.SetWriteDeadline(time.Now().Add(stall))
		_, err := fmt.Fprint(w, text)
		return err == nil && c.Flush() == nil
	}
	if !send("retry: 1000\n\n") {
		return nil
	}
	last := ""
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for quiet := time.Duration(0); ; quiet += pollEvery {
		if at, err := s.find(r.PathValue("path")); err == nil && at.place != nil {
			size, mod := stamp(at)
			if tag := fmt.Sprintf("%x-%x", size, mod.UnixNano()); tag != last {
				now := s.changed(at, size, tag)
				if last = tag; !send("event: change\ndata: " + now + "\n\n") {
					return nil
				}
				quiet = 0
			}
		}
		if quiet >= aliveTime {
			if !send(": alive\n\n") {
				return nil
			}
			quiet = 0
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-s.done.Done():
			return nil
		case <-tick.C:
		}
	}
}

// changed returns the current state of a file.
func (s *Server) changed(at *spot, size int64, tag string) string {
	now := change{Path: at.path, Size: size, Tag: tag}
	if at.whole || !at.info.IsDir() {
		if h, release, err := s.files.open(at); err != nil {
			_, now.Error = statusOf(err)
		} else {
			if d, err := h.dataset(s.files, at.key); err == nil {
				now.Shape = d.shape
			}
			release()
		}
	}
	b, _ := json.Marshal(now)
	return string(b)
}
