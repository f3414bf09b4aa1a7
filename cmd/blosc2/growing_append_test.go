package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/stream"
)

// An appended is a file whose writer closes it after each write, as compress --append does.
type appended struct {
	name  string
	array bool
	n     int64 // number of items in the file
}

// add appends items, which are their own numbers, with a codec that is not always the same.
func (a *appended) add(items int64) error {
	var b []byte
	for i := range items {
		b = binary.LittleEndian.AppendUint64(b, uint64(a.n+i))
	}
	a.n += items
	codec := stream.Codec([]blosc2.CodecID{blosc2.CodecZstd, blosc2.CodecLZ4}[a.n%2])
	if !a.array {
		w, err := stream.AppendFile(a.name, stream.TypeSize(8), stream.ChunkSize(4096), codec)
		if err == nil {
			_, err = w.Write(b)
			err = errors.Join(err, w.Close())
		}
		return err
	}
	spec, err := b2nd.SpecOf[int64](b2nd.Unknown)
	spec.ChunkShape, spec.BlockShape = []int64{512}, []int64{64}
	if err != nil {
		return err
	}
	w, err := b2nd.AppendFile(a.name, spec, codec)
	if err == nil {
		_, err = w.Write(b)
		err = errors.Join(err, w.Close())
	}
	return err
}

// eachAppended calls f for a new frame and a new array.
func eachAppended(t *testing.T, f func(a *appended)) {
	f(&appended{name: filepath.Join(t.TempDir(), "x.i8.b2frame")})
	f(&appended{name: filepath.Join(t.TempDir(), "x.b2nd"), array: true})
}

// A closed file to which data are appended after it was opened is read as it was at that
// time.
func TestReadsAppended(t *testing.T) {
	e := &env{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	eachAppended(t, func(a *appended) {
		noError(t, a.add(2001))
		v, err := e.openView(a.name, "", usualCheck.options(a.name)...)
		noError(t, err)
		defer v.Close()
		d, err := e.openTarget(a.name)
		noError(t, err)
		defer d.Close()
		for range 3 { // the second one overwrites the chunks of the first state
			noError(t, a.add(1001))
		}
		check := func(how string, got []byte) {
			t.Helper()
			ok := len(got) == 8*2001
			for i := 0; ok && i < 2001; i++ {
				ok = binary.LittleEndian.Uint64(got[8*i:]) == uint64(i)
			}
			if !ok {
				t.Errorf("%s: %s: %d bytes, or others", a.name, how, len(got))
			}
		}
		var got []byte
		noError(t, v.pieces(v.all(), func(b []byte) error { got = append(got, b...); return nil }))
		check("a view", got)
		if a.array {
			var out bytes.Buffer
			noError(t, decompressArray(&out, d, true, false, 1))
			check("decompressed", out.Bytes())
		}
		if err := d.trailing(); err != nil {
			t.Errorf("%s: what was appended: %v", a.name, err)
		}
	})
}

// A file that shrinks after it was opened, because an append was undone, has lost data.
func TestReadsTakenBack(t *testing.T) {
	e := &env{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	eachAppended(t, func(a *appended) {
		noError(t, a.add(301))
		was, err := os.ReadFile(a.name)
		noError(t, err)
		for _, more := range []int64{100, 2000} { // in the same chunk, and in others
			a.n = 301
			noError(t, a.add(more))
			v, err := e.openView(a.name, "", usualCheck.options(a.name)...)
			noError(t, err)
			defer v.Close()
			noError(t, os.WriteFile(a.name, was, 0o666))
			if err := v.pieces(v.all(), func([]byte) error { return nil }); !errors.Is(err, errTakenBack) {
				t.Errorf("%s: %d more items were taken back: %v", a.name, more, err)
			}
		}
	})
}

// whileAppending calls f while data are appended to a file continuously.
func whileAppending(t *testing.T, a *appended, f func()) {
	t.Helper()
	stop, ended := make(chan bool), make(chan error)
	go func() {
		var err error
		for err == nil {
			select {
			case <-stop:
				ended <- nil
				return
			default:
				err = a.add(3001)
			}
		}
		<-stop
		ended <- err
	}()
	f()
	close(stop)
	noError(t, <-ended)
}

// Files to which data are appended continuously are sound.
func TestVerifiesAppended(t *testing.T) {
	e := &env{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	eachAppended(t, func(a *appended) {
		noError(t, a.add(100_001))
		whileAppending(t, a, func() {
			c := &verifyCmd{jobsFlag: jobsFlag{Jobs: 1}}
			for range 30 {
				if v, err := c.verify(e, a.name); err != nil || !v.Sound {
					t.Errorf("%s: %v, %v", a.name, err, v.Faults)
				}
			}
		})
	})
}

// Damage to such a file is found, and nothing else.
func TestVerifiesDamagedAppended(t *testing.T) {
	t.Parallel() // it takes five seconds for each file
	e := &env{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	eachAppended(t, func(a *appended) {
		noError(t, a.add(100_001))
		f, err := os.OpenFile(a.name, os.O_RDWR, 0)
		noError(t, err)
		defer f.Close()
		var b [1]byte
		_, err = f.ReadAt(b[:], 5000)
		noError(t, err)
		b[0] ^= 1
		_, err = f.WriteAt(b[:], 5000)
		noError(t, err)
		whileAppending(t, a, func() {
			c := &verifyCmd{jobsFlag: jobsFlag{Jobs: 1}}
			if v, err := c.verify(e, a.name); err != nil || len(v.Faults) != 1 || v.Faults[0].Chunk < 0 || !errors.Is(v.Faults[0].err, blosc2.ErrChecksum) {
				t.Errorf("%s: %v, %v", a.name, err, v.Faults)
			}
		})
	})
}

// An attempt to read a file fails only if the file did not change meanwhile and shortly
// before, or changes for more than five seconds.
func TestSettled(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	noError(t, err)
	defer f.Close()
	synctest.Test(t, func(t *testing.T) {
		tries, changes := 0, 3
		read := func() error {
			tries++
			if changes--; changes >= 0 {
				f.WriteString("x")
			}
			return blosc2.ErrChecksum
		}
		if err := settled(f, read); err != blosc2.ErrChecksum || tries != 4 {
			t.Errorf("after three changes: %v in attempt %d", err, tries)
		}
		pause := 100 * time.Millisecond // of a writer, in the middle of an append
		noError(t, os.Chtimes(f.Name(), time.Now(), time.Now()))
		ready := time.Now().Add(pause)
		if err := settled(f, func() error {
			if time.Now().Before(ready) {
				return blosc2.ErrChecksum
			}
			return nil
		}); err != nil {
			t.Errorf("a pause of %v: %v", pause, err)
		}
		touch := func() { noError(t, os.Chtimes(f.Name(), time.Now(), time.Now())) }
		touch()
		time.Sleep(2 * clockTick)
		tries = 0
		if err := settled(f, func() error {
			tries++
			time.Sleep(patience + time.Second)
			return blosc2.ErrChecksum
		}); err != blosc2.ErrChecksum || tries != 1 {
			t.Errorf("read slowly: %v in attempt %d", err, tries)
		}
		var touched time.Time
		if err := settled(f, func() error {
			if time.Since(touched) >= 100*time.Millisecond {
				touch()
				touched = time.Now()
			}
			return blosc2.ErrChecksum
		}); err != blosc2.ErrChecksum {
			t.Errorf("the same fault in a file that changes from time to time: %v", err)
		}
		changes = 1 << 30
		start := time.Now()
		if err := settled(f, read); err != errTooFast || time.Since(start) < patience {
			t.Errorf("changing: %v after %v", err, time.Since(start))
		}
	})
}
