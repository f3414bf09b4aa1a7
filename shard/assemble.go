package shard

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A Shard is a finished shard: its manifest and its bytes.
type Shard struct {
	*Manifest
	Name string // name of its file, for errors
	Open func() (io.ReadCloser, error)
}

// Assemble writes the frame of the shards to dst: header, shards, index, trailer,
// front to back. All shards of one plan must be given, in any order; duplicates are
// ignored. The bytes of each are checked against its manifest while they are
// copied. vlmeta holds the vlmetalayers of the frame.
func Assemble(dst io.Writer, shards []Shard, vlmeta ...VLMeta) error {
	if err := framing.Need(dst != nil, "destination", "an io.Writer"); err != nil {
		return err
	}
	shards, err := inOrder(shards)
	if err != nil {
		return err
	}
	head, tail, err := ends(shards, vlmeta)
	if err != nil {
		return err
	}
	if _, err := dst.Write(head); err != nil {
		return err
	}
	buf := make([]byte, copyBuf)
	for i := range shards {
		if err := shards[i].copyTo(dst, buf); err != nil {
			return err
		}
	}
	_, err = dst.Write(tail)
	return err
}

// copyBuf is the number of bytes read at a time.
const copyBuf = 1 << 20

// A VLMeta is a named value in the frame's trailer.
type VLMeta struct {
	Name  string
	Value []byte
}

// Ends returns the bytes before and after the shards in the finished frame. It is
// for programs that copy the shards in another way: in the order of their numbers,
// with nothing between them. The manifests may be in any order.
func Ends(manifests []*Manifest, vlmeta ...VLMeta) (head, tail []byte, err error) {
	shards := make([]Shard, len(manifests))
	for i, m := range manifests {
		shards[i].Manifest = m
	}
	if shards, err = inOrder(shards); err != nil {
		return nil, nil, err
	}
	return ends(shards, vlmeta)
}

// ends is like Ends, for shards returned by inOrder.
func ends(shards []Shard, vlmeta []VLMeta) (head, tail []byte, err error) {
	p := shards[0].Plan
	b, err := frame.NewBuilder(p.h, frame.Checks(p.checks))
	if err != nil {
		return nil, nil, err
	}
	for _, l := range vlmeta {
		if err := b.SetVLMeta(l.Name, l.Value); err != nil {
			return nil, nil, err
		}
	}
	if p.NumChunks() == 0 {
		head, err = b.AppendEmpty(nil)
		return head, nil, err
	}
	if _, err = b.AppendHeader(nil); err != nil {
		return nil, nil, err
	}
	n := int64(0)
	for _, s := range shards {
		for _, cbytes := range s.Chunks {
			if err := b.AddChunk(p.chunkLen(n), int(cbytes)); err != nil {
				return nil, nil, err
			}
			n++
		}
	}
	if tail, err = b.AppendTail(nil); err != nil {
		return nil, nil, err
	}
	head, err = b.AppendSealed(nil)
	return head, tail, err
}

// inOrder returns the shards by number, each once. It returns an error if they are not
// all the shards of one plan.
func inOrder(shards []Shard) ([]Shard, error) {
	if len(shards) == 0 {
		return nil, fmt.Errorf("shards: %w", ErrMissing)
	}
	p := usual(shards)
	shards = slices.Clone(shards)
	slices.SortStableFunc(shards, func(a, b Shard) int { return cmp.Compare(a.Shard, b.Shard) })
	for i := range shards {
		s := &shards[i]
		if what := p.differs(s.Plan); what != "" {
			return nil, s.wrong(ErrForeign, what)
		}
		if i > 0 && s.Shard == shards[i-1].Shard && (s.Digest != shards[i-1].Digest || !slices.Equal(s.Chunks, shards[i-1].Chunks)) {
			msg := "it exists twice, with different bytes"
			if other := shards[i-1].Name; other != "" {
				msg += "; the other is " + other
			}
			return nil, s.wrong(ErrDamaged, msg)
		}
	}
	shards = slices.CompactFunc(shards, func(a, b Shard) bool { return a.Shard == b.Shard })
	if len(shards) < p.shards {
		e := &Error{Of: p.shards, Err: ErrMissing}
		for k, i := 0, 0; k < p.shards; k++ {
			if i < len(shards) && shards[i].Shard == k {
				i++
				continue
			}
			e.Shards = append(e.Shards, k)
		}
		return nil, e
	}
	return shards, nil
}

// usual returns the plan of most shards, and the first such plan if several are
// equally common.
func usual(shards []Shard) *Plan {
	type group struct {
		plan *Plan
		n    int
	}
	var groups []group
	for _, s := range shards {
		i := slices.IndexFunc(groups, func(g group) bool { return g.plan == s.Plan || g.plan.differs(s.Plan) == "" })
		if i < 0 {
			i, groups = len(groups), append(groups, group{plan: s.Plan})
		}
		groups[i].n++
	}
	best := groups[0]
	for _, g := range groups {
		if g.n > best.n {
			best = g
		}
	}
	return best.plan
}

// wrong returns an error about the shard.
func (s *Shard) wrong(err error, msg string) error {
	return &Error{Shards: []int{s.Shard}, Of: s.Plan.shards, Name: s.Name, Msg: msg, Err: err}
}

// open opens the bytes of the shard.
func (s *Shard) open() (io.ReadCloser, error) {
	if err := framing.Need(s.Open != nil, "Open of a shard", "a function"); err != nil {
		return nil, s.wrong(err, "")
	}
	r, err := s.Open()
	if err != nil {
		return nil, s.wrong(err, "")
	}
	return r, nil
}

// copyTo copies the bytes of the shard, and compares them with the manifest.
func (s *Shard) copyTo(dst io.Writer, buf []byte) error {
	r, err := s.open()
	if err != nil {
		return err
	}
	return errors.Join(s.copy(dst, r, buf), r.Close())
}

// copy copies the bytes of r, and compares them with the manifest.
func (s *Shard) copy(dst io.Writer, r io.Reader, buf []byte) error {
	scan := s.Plan.scan(s.Shard)
	for !scan.over {
		n, rerr := io.ReadFull(r, buf[:min(int64(len(buf)), s.Len()-scan.len-int64(len(scan.head)))])
		if n == 0 && rerr != nil {
			return s.wrong(ErrDamaged, rerr.Error())
		}
		if n == 0 {
			return s.wrong(ErrDamaged, "its chunks are longer than its manifest says")
		}
		if err := scan.pass(buf[:n], nil); err != nil {
			return s.wrong(ErrDamaged, err.Error())
		}
		if _, err := dst.Write(buf[:n]); err != nil {
			return err
		}
	}
	switch {
	case scan.len != s.Len() || !slices.Equal(scan.chunks, s.Chunks):
		return s.wrong(ErrDamaged, "its chunks do not have the lengths of its manifest")
	case scan.digest.Sum64() != s.Digest:
		return s.wrong(ErrDamaged, "its digest does not match")
	}
	return nil
}

// headLen returns the number of bytes before the first chunk.
func (p *Plan) headLen() int {
	if p.checks {
		return len(p.raw) + framing.RecordLen
	}
	return len(p.raw)
}
