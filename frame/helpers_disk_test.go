package frame_test

import (
	"errors"
	"io"
	"math/rand/v2"
)

var errPower = errors.New("the power failed")

// A disk is a file on a disk that loses power after a number of operations.
// Unsynced writes may then be present, in part or not at all, in any order, but a
// sector of 512 bytes is written entirely or not at all.
type disk struct {
	durable []byte
	now     []byte
	pending []func(b []byte) []byte // changes to sectors, and changes of the length, that were not synced
	left    int                     // operations until the power fails; negative if it never does
	ops     int
}

func newDisk(b []byte, left int) *disk {
	return &disk{durable: append([]byte(nil), b...), now: append([]byte(nil), b...), left: left}
}

func (d *disk) op() error {
	if d.left == 0 {
		return errPower
	}
	d.left--
	d.ops++
	return nil
}

func (d *disk) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(len(d.now)) {
		return 0, io.EOF
	}
	n := copy(p, d.now[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func put(b, p []byte, off int) []byte {
	if need := off + len(p); need > len(b) {
		b = append(b, make([]byte, need-len(b))...)
	}
	copy(b[off:], p)
	return b
}

func (d *disk) WriteAt(p []byte, off int64) (int, error) {
	err := d.op()
	d.now = put(d.now, p, int(off))
	for rest, at := append([]byte(nil), p...), int(off); len(rest) > 0; {
		n := min(512-at%512, len(rest))
		piece, place := rest[:n], at
		d.pending = append(d.pending, func(b []byte) []byte { return put(b, piece, place) })
		rest, at = rest[n:], at+n
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func (d *disk) Truncate(size int64) error {
	err := d.op()
	cut := func(b []byte) []byte {
		if int(size) <= len(b) {
			return b[:size:size]
		}
		return append(b, make([]byte, int(size)-len(b))...)
	}
	d.now = cut(d.now)
	d.pending = append(d.pending, cut)
	return err
}

func (d *disk) Sync() error {
	if err := d.op(); err != nil {
		return err // a part of the data may have reached the disk
	}
	d.durable = append([]byte(nil), d.now...)
	d.pending = nil
	return nil
}

// crash returns the contents of the disk after the power failure.
func (d *disk) crash(rng *rand.Rand) []byte {
	b := append([]byte(nil), d.durable...)
	share := rng.Float64()
	pending := append([]func([]byte) []byte(nil), d.pending...)
	rng.Shuffle(len(pending), func(i, j int) { pending[i], pending[j] = pending[j], pending[i] })
	for _, p := range pending {
		if rng.Float64() < share {
			b = p(b)
		}
	}
	return b
}
