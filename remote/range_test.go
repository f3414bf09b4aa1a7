package remote

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"testing"
)

func TestContentRange(t *testing.T) {
	for _, s := range []string{"", "bytes", "bytes 0-0", "bytes 0-0/*", "bytes */100", "bytes 5-4/10", "bytes 0-10/10", "bytes -1-3/10", "bytes +0-3/10",
		"bytes 0-9223372036854775807/9223372036854775807", "bytes 0-99999999999999999999/1", "items 0-1/2", "bytes 0-1/ 2", "bytes 0-/2", "bytes -/"} {
		a := Answer{From: 1, To: 2}
		if err := a.SetRange(s); err == nil || a != (Answer{From: 1, To: 2}) {
			t.Errorf("%q: %+v, %v", s, a, err)
		}
	}
	var a Answer
	if err := a.SetRange("bytes 5-9/10"); a.From != 5 || a.To != 10 || a.Size != 10 || err != nil {
		t.Errorf("%+v, %v", a, err)
	}
}

func FuzzContentRange(f *testing.F) {
	for _, s := range []string{"bytes 0-65535/100000", "bytes 5-9/*", "bytes */0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var a, again Answer
		if a.SetRange(s) != nil {
			return
		}
		if a.From < 0 || a.From >= a.To || a.To > a.Size {
			t.Errorf("%q: %+v", s, a)
		}
		if err := again.SetRange(fmt.Sprintf("bytes %d-%d/%d", a.From, a.To-1, a.Size)); again != a || err != nil {
			t.Errorf("%q: %+v, then %+v, %v", s, a, again, err)
		}
	})
}

// The ranges of an answer to a request for several hold the bytes that their headers
// say. No more ranges and bytes are read than are accepted.
func FuzzAnswers(f *testing.F) {
	const kind = "multipart/byteranges; boundary=next"
	f.Add(kind, "", []byte("--next\r\nContent-Range: bytes 0-2/9\r\n\r\nabc\r\n--next\r\nContent-Range: bytes 5-5/9\r\n\r\nf\r\n--next--\r\n"))
	f.Add(kind, "", []byte("--next\r\nContent-Range: bytes 0-4/9\r\n\r\nabc\r\n--next\r\n\r\nf"))
	f.Add(kind, "", []byte("--next\nContent-Transfer-Encoding: quoted-printable\nContent-Range: bytes 0-2/9\n\n=20=\n--next--"))
	f.Add("text/plain", "bytes 3-5/9", []byte("def"))
	f.Add("multipart/byteranges", "", []byte("--\r\n\r\n"))
	f.Fuzz(func(t *testing.T, kind, span string, body []byte) {
		resp := &http.Response{StatusCode: http.StatusPartialContent, ContentLength: -1, Body: io.NopCloser(bytes.NewReader(body)),
			Header: http.Header{"Content-Type": {kind}, "Content-Range": {span}}}
		a, err := parseAnswers(resp, 2, 16)
		if err != nil {
			return
		}
		received := 0
		a.received = func(n int) { received += n }
		for n := 1; ; n++ {
			part, err := a.next()
			if err != nil {
				break
			}
			if part.From < 0 || part.From >= part.To || part.To > part.Size || n > 2 {
				t.Errorf("range %d: bytes %d to %d of %d", n, part.From, part.To, part.Size)
			}
			got, err := io.ReadAll(io.LimitReader(part.Body, part.To-part.From))
			if err == nil && int64(len(got)) < part.To-part.From && a.multi != nil {
				t.Errorf("%d bytes of %d without an error", len(got), part.To-part.From)
			}
			if !bytes.Contains(body, got) {
				t.Errorf("%q is not in the answer", got)
			}
		}
		if limit := 16 + 3*partMost + 1; received > limit {
			t.Errorf("%d bytes were read, of %d", received, limit)
		}
	})
}

func FuzzReason(f *testing.F) {
	f.Add([]byte("<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>"))
	f.Add([]byte("slow\ndown"))
	f.Fuzz(func(t *testing.T, b []byte) {
		line := oneLine(reason(b))
		for _, r := range line {
			if r < ' ' {
				t.Errorf("%q", line)
			}
		}
	})
}
