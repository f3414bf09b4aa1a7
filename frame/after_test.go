package frame_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
)

// The end of the source, another frame, and uncommitted data of a writer may follow a
// frame. Anything else is an error, in a file and on a pipe.
func TestFollows(t *testing.T) {
	m := newMaker(t, 1000, building{Checks: true})
	for _, c := range cut(ramp(2500), 1000) {
		m.chunk(c)
	}
	m.tail()
	one := m.sealed()
	chunk := one[len(m.head) : len(m.head)+200]
	for _, c := range []struct {
		after     string
		next, bad bool
	}{
		{"", false, false},
		{string(one), true, false},
		{frame.Magic, true, false},
		{frame.Magic[:9], false, true},
		{frame.Magic[:1], false, true},
		{"\x9e\xa8b2frame\x01 and more", false, true},
		{"\x1e" + frame.Magic[1:], false, true},
		{"\xde\xa8", false, true},
		{"text", false, true},
		{"Bold text, which is no record", false, true},
		{"\x1f\x8b\x08", false, true},
		{"\x07 no version of a chunk", false, true},
		{"\x05 a version, but not the sizes of a chunk", false, true},
		{string(chunk), false, false},
		{string(chunk[:32]), false, false},
		{string(chunk[:5]), false, false},
		{"B2", false, false},
		{"B2CK\x03\x01\x00\x00\xf4\x01\x00\x00\x00\x00\x00\x00" + string(chunk), false, false},
		{"B2CK\x01\x01\x00\x00........" + string(one[:100]), false, false},
		{"B2CK\x00\x01\x00\x00........" + string(one[:100]), false, true}, // the record of a chunk without the chunk
		{strings.Repeat("\x00", 16) + string(chunk), false, false},
		{strings.Repeat("\x00", 15) + string(chunk), false, true},
		{strings.Repeat("\x00", 9), false, false},
	} {
		b := append(bytes.Clone(one), c.after...)
		next, err := frame.Follows(new(header.Header), bytes.NewReader(b), int64(len(one)))
		if next != c.next || c.bad != errors.Is(err, blosc2.ErrTrailing) || !c.bad && err != nil {
			t.Errorf("%q: %v, %v", c.after, next, err)
		}
		cutOff := strings.HasPrefix(frame.Magic, c.after) && c.bad
		if errors.Is(err, io.ErrUnexpectedEOF) != cutOff {
			t.Errorf("%q: %v", c.after, err)
		}
		var fe *blosc2.FormatError
		if c.bad && (!errors.As(err, &fe) || fe.Offset != int64(len(one))) {
			t.Errorf("%q: %#v", c.after, fe)
		}
		if c.next {
			continue
		}
		for _, src := range []io.Reader{bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(b))} {
			_, w, err := walk(src)
			if err != nil || c.bad != errors.Is(w.After(), blosc2.ErrTrailing) || !c.bad && w.After() != nil {
				t.Errorf("%q walked: %v, %v", c.after, err, w.After())
			}
			if !strings.HasPrefix(c.after, string(w.Trailing())) || (len(w.Trailing()) == 0) != (c.after == "") {
				t.Errorf("%q walked: trailing %q", c.after, w.Trailing())
			}
		}
		rep, err := frame.Verify(bytes.NewReader(b), int64(len(b)))
		if err != nil || rep.Sound() == c.bad || rep.Trailing != int64(len(c.after)) {
			t.Errorf("%q: verified: %+v, %v", c.after, rep, err)
		}
	}
}

// Libraries of old layouts left bytes after their frames. These are not an error.
func TestFollowsOld(t *testing.T) {
	for g := header.Current; g <= header.LayoutRC; g++ {
		next, err := frame.Follows(&header.Header{Generation: g}, strings.NewReader("leftovers"), 0)
		if next || errors.Is(err, blosc2.ErrTrailing) != (g == header.Current) {
			t.Errorf("%v: %v, %v", g, next, err)
		}
		if next, err := frame.Follows(&header.Header{Generation: g}, strings.NewReader(frame.Magic), 0); !next || err != nil {
			t.Errorf("%v: next %v, %v", g, next, err)
		}
	}
}

// A read error is not treated as the end of the source.
func TestFollowsFails(t *testing.T) {
	boom := errors.New("boom")
	if next, err := frame.Follows(new(header.Header), readerAtFunc(func([]byte, int64) (int, error) { return 0, boom }), 5); next || err != boom {
		t.Error(next, err)
	}
}

type readerAtFunc func(p []byte, off int64) (int, error)

func (f readerAtFunc) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

// Bytes after a frame never make it unreadable. They are treated as a frame only if they
// begin like one.
func FuzzFollows(f *testing.F) {
	for _, s := range []string{"", frame.Magic, "B2CK\x03\x01\x00\x00", "\x05\x01\x07\x04", "\x00\x00", "junk"} {
		f.Add([]byte(s), int64(64))
	}
	f.Fuzz(func(t *testing.T, after []byte, off int64) {
		off &= 1<<12 - 1
		b := append(make([]byte, off), after...)
		next, err := frame.Follows(new(header.Header), bytes.NewReader(b), off)
		if next != bytes.HasPrefix(after, []byte(frame.Magic)) || next && err != nil || err != nil && !errors.Is(err, blosc2.ErrTrailing) {
			t.Errorf("%q: %v, %v", after, next, err)
		}
	})
}
