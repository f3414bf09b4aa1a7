package serve

import (
	"fmt"
	"io/fs"
	"net/http"
	"time"
)

// file answers with the bytes of a file, or of ranges of it.
func (s *Server) file(w http.ResponseWriter, r *http.Request) error {
	at, err := s.find(r.PathValue("path"))
	if err != nil {
		return err
	}
	f, info, err := at.plainFile()
	if err != nil {
		return err
	}
	defer f.Close()
	w.Header().Set("ETag", s.tagOf(at, info))
	w.Header().Set("Content-Type", "application/octet-stream")
	if r.URL.Query().Has("download") {
		w.Header().Set("Content-Disposition", attachment(info.Name()))
	}
	limitWriting(w, info.Size())
	http.ServeContent(w, r, "", info.ModTime(), f)
	return nil
}

// slowest is the lowest rate, in bytes per second, at which a client may receive a file.
const slowest = 16 << 10

// limitWriting ends an answer that takes too long. The system copies the file, so the
// limit cannot be extended for each part.
func limitWriting(w http.ResponseWriter, size int64) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(stall + time.Duration(size/slowest)*time.Second))
}

// tagOf returns a strong ETag, which depends on the size and the time of the file.
func (s *Server) tagOf(at *spot, info fs.FileInfo) string {
	if at.place.object != nil {
		if v := at.place.object.Version(); len(v) > 1 && v[0] == '"' {
			return v
		}
	}
	return fmt.Sprintf(`"%x-%x"`, info.Size(), info.ModTime().UnixNano())
}
