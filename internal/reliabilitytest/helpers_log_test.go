package reliabilitytest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/stream"
)

// A logKind is a way to write a log.
type logKind struct {
	long     bool // the header spans two sectors
	unsure   bool // chunks have no digests
	noise    bool // chunks hardly compress, so that they fill their room
	appended bool // the frame was closed before
	workers  int
}

func (k logKind) String() string {
	return fmt.Sprintf("long=%t checks=%t noise=%t appended=%t", k.long, !k.unsure, k.noise, k.appended)
}

// logKinds holds all kinds; the number of workers alternates.
func logKinds() (all []logKind) {
	for i := range 16 {
		all = append(all, logKind{i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0, 1 + i%3%2})
	}
	return all
}

// data returns the bytes of a log.
func (k logKind) data(n int) []byte {
	if !k.noise {
		return pattern(0, n)
	}
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

func (k logKind) options(chunkSize int) []stream.WriterOption {
	return append(long(k.long), stream.ChunkSize(chunkSize), stream.TypeSize(4), stream.Workers(k.workers), stream.Checks(!k.unsure))
}

// logHistory makes a log that is flushed, committed, closed and continued, with small
// and large writes, so that every operation of a log occurs.
func logHistory(t testing.TB, k logKind, rng *rand.Rand, steps int) (h *history, data []byte) {
	t.Helper()
	data = k.data(40_000)
	size := []int{600, 1000, 2400}[rng.IntN(3)]
	d, at := newDisk(nil), 0
	if k.appended {
		w, err := stream.NewWriter(d, k.options(size)...)
		must(t, err)
		at = 1 + rng.IntN(3*size)
		_, err = w.Write(data[:at])
		must(t, errors.Join(err, w.Close()))
	}
	h = &history{disk: newDisk(d.b), start: d.b, held: int64(at)}
	w, err := goOn(h.disk, k, size)
	must(t, err)
	for range steps {
		switch n := rng.IntN(20); {
		case n < 8:
			n := min(rng.IntN(60), len(data)-at)
			if rng.IntN(5) == 0 {
				n = min(rng.IntN(3*size), len(data)-at)
			}
			_, err := w.Write(data[at : at+n])
			must(t, err)
			at += n
		case n < 14:
			must(t, w.Flush())
			h.flush(int64(at))
		case n < 18:
			must(t, w.Checkpoint())
			h.flush(int64(at))
			h.commit(int64(at))
		default:
			committed := promised(h.committed, len(h.log)) > 0
			must(t, w.Close())
			h.flush(int64(at))
			if committed {
				h.commit(int64(at))
			}
			w, err = goOn(h.disk, k, size)
			must(t, err)
		}
	}
	must(t, w.Close())
	h.flush(int64(at))
	return h, data
}

// goOn is like AppendFile, for a disk.
func goOn(d *disk, k logKind, size int, opts ...stream.WriterOption) (*stream.Writer, error) {
	fresh, err := framing.Unborn(d, int64(len(d.b)))
	if err != nil {
		return nil, err
	}
	if !fresh {
		return stream.Append(d, int64(len(d.b)), append(opts, stream.Workers(k.workers))...)
	}
	if err := d.Truncate(0); err != nil {
		return nil, err
	}
	d.pos = 0
	return stream.NewWriter(d, k.options(size)...)
}

// logError returns an error that describes what is wrong with a log after a crash, or
// nil. After a power failure flushed data may be lost, and reading may end with an
// error there.
func logError(b, data []byte, least, sure int64, power bool) error {
	got, err := content("", b, frame.AllowTorn())
	if err != nil {
		return fmt.Errorf("frame: %d bytes: %w", len(got), err)
	}
	if err := prefix("frame", got, data, least, sure); err != nil {
		return err
	}
	r, err := stream.NewReader(bytes.NewReader(b), stream.Workers(1))
	if err == nil {
		got, err = io.ReadAll(r)
		r.Close()
	}
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !(power && sameError(err, lossOf(b))) {
		return fmt.Errorf("stream: %d bytes: %w", len(got), err)
	}
	return prefix("stream", got, data, least, sure)
}

// lossOf returns the known loss of a log.
func lossOf(b []byte) error {
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)), frame.AllowTorn())
	if err != nil {
		return err
	}
	return f.Lost()
}

func sameError(a, b error) bool { return a != nil && b != nil && a.Error() == b.Error() }

// prefix returns an error unless the bytes read are a prefix of the data, of at least
// sure bytes.
func prefix(what string, got, data []byte, least, sure int64) error {
	if int64(len(got)) < least {
		return fmt.Errorf("%s: %d bytes, %d were promised", what, len(got), least)
	}
	if same := min(int64(len(got)), sure); len(got) > len(data) || !bytes.Equal(got[:same], data[:same]) {
		return fmt.Errorf("%s: wrong bytes among %d", what, len(got))
	}
	return nil
}

// goesOn continues a log after a crash, closes it and returns the file. It is an error
// if data that were readable are then missing. After a power failure the log may have
// to drop intact data that follow a loss.
func goesOn(b, data []byte, k logKind, least, sure int64, power bool) ([]byte, error) {
	d := newDisk(b)
	w, err := goOn(d, k, 1000)
	if power && err != nil && lossOf(b) != nil {
		if !k.long && !bytes.Equal(d.b, b) { // the write of a longer header may have been completed, which changes the file
			return nil, fmt.Errorf("refused, but changed: %w", err)
		}
		w, err = goOn(d, k, 1000, stream.DropDamaged())
	}
	if err != nil {
		return nil, fmt.Errorf("going on: %w", err)
	}
	found, err := content("", d.b, frame.AllowTorn())
	held := int64(len(found))
	if was, _ := content("", b, frame.AllowTorn()); int64(len(was)) != held {
		return nil, fmt.Errorf("going on: %d bytes before, %d then", len(was), held)
	}
	if err != nil && held > 0 || held < least {
		return nil, fmt.Errorf("going on: %d bytes of %d: %w", held, least, err)
	}
	if !bytes.Equal(found, data[:held]) && held <= sure {
		return nil, fmt.Errorf("going on: wrong bytes among %d", held)
	}
	end := min(held+700, int64(len(data)))
	if _, err = w.Write(data[held:end]); err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("going on with %d bytes: %w", held, err)
	}
	got, err := content("", d.b)
	if err == nil && (int64(len(got)) != end || !bytes.Equal(got[:min(sure, end)], data[:min(sure, end)])) {
		err = errors.New("wrong bytes")
	}
	if err != nil {
		return nil, fmt.Errorf("gone on, %d bytes of %d: %w", len(got), end, err)
	}
	return d.b, nil
}
