package shard

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/stream"
)

// defaultPart is the size of a part if that is enough.
const defaultPart = 8 << 20

// A Note records which bytes of a shard a worker has put, and that the first Held
// bytes were not put. Keep its JSON form, with those bytes, until CompleteParts.
type Note struct {
	*Manifest
	Parts []parts.Part
	Held  int64
}

// numbers returns the first part number of shard k and how many numbers it has, of
// count in total. The last part number is for the trailer.
func numbers(count, k, of int) (first, n int) {
	n = (count - 1) / of
	return 1 + k*n, n
}

// PartSize returns the smallest size of parts, at least 8 MiB, with which every shard
// of the plan fits into its share of the part numbers, even if the data are
// incompressible. UploadShard holds that, and the store's minimum size of a part, in
// memory. More shards than the store has numbers for result in a *blosc2.OptionError.
func (p *Plan) PartSize(r parts.Rules) (int64, error) {
	r = limited(r)
	_, n := numbers(r.Count, 0, p.shards)
	if n < 2 {
		return 0, &blosc2.OptionError{Option: "shards", Value: p.shards, Range: fmt.Sprintf("at most %d, for a store of %d parts", (r.Count-1)/2, r.Count)}
	}
	most := int64(0)
	for k := range p.shards {
		most = max(most, p.most(k))
	}
	size := max(defaultPart, r.Min, (most+int64(n)-2)/int64(n-1))
	if size > r.Max-r.Min {
		return 0, &blosc2.OptionError{Option: "shards", Value: p.shards, Range: fmt.Sprintf("enough for parts of at most %d bytes", r.Max)}
	}
	return size, nil
}

// most returns the largest size of shard k in bytes.
func (p *Plan) most(k int) int64 {
	first, end := p.Chunks(k)
	return (end - first) * (int64(p.h.ChunkSize) + chunk.Overhead + int64(p.headLen()-len(p.raw)))
}

// UploadShard makes shard k and puts it into the object. Every worker of the plan puts
// parts of the same object. Each shard has its own part numbers, so workers need not
// communicate, and a shard that is made again replaces its own parts.
//
// All parts but the last must have the store's minimum size, 5 MiB with S3, but the
// size of the header is known only at the end. So the first bytes of a shard, as
// many as that minimum, or all of a shorter shard, are written to held instead, and
// CompleteParts puts them.
//
// An object that only one process can put returns a *blosc2.OptionError.
func (p *Plan) UploadShard(ctx context.Context, up parts.Object, held io.Writer, k int, fill Fill, opts ...stream.Option) (*Note, error) {
	r, err := rulesOf(up)
	if err != nil {
		return nil, err
	}
	size, err := p.PartSize(r)
	if err != nil {
		return nil, err
	}
	if err := p.checkShard(k); err != nil {
		return nil, err
	}
	first, _ := numbers(r.Count, k, p.shards)
	w := &partWriter{ctx: ctx, up: up, least: r.Min, size: size, next: first + 1, held: held,
		buf: make([]byte, 0, min(size+r.Min, p.most(k)))}
	m, err := p.WriteShard(w, k, fill, append(opts, stream.Context(ctx))...)
	if err == nil {
		err = w.close()
	}
	if err != nil {
		return nil, err
	}
	return &Note{Manifest: m, Parts: w.parts, Held: w.heldLen}, nil
}

// limited returns r with limits set if the store has none.
func limited(r parts.Rules) parts.Rules {
	if r.Count == 0 {
		r.Count = math.MaxInt32
	}
	if r.Max == 0 {
		r.Max = math.MaxInt64
	}
	return r
}

// rulesOf returns the rules of an object that several processes write.
func rulesOf(up parts.Object) (r parts.Rules, err error) {
	if up != nil {
		r = up.Rules()
	}
	if !r.Shared {
		return r, &blosc2.OptionError{Option: "object", Value: fmt.Sprintf("%T", up), Range: "an object that several processes can write, as s3.Store.Shards returns"}
	}
	return limited(r), nil
}

type noteJSON struct {
	Manifest *Manifest    `json:"manifest"`
	Parts    []parts.Part `json:"parts"`
	Held     int64        `json:"held"`
}

// MarshalJSON returns the note as JSON.
func (n *Note) MarshalJSON() ([]byte, error) {
	return json.Marshal(noteJSON{n.Manifest, n.Parts, n.Held})
}

// UnmarshalJSON parses the result of MarshalJSON. An invalid note returns
// blosc2.ErrCorrupt, or an error about its manifest.
func (n *Note) UnmarshalJSON(text []byte) error {
	var j noteJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return fmt.Errorf("note: %w: %w", blosc2.ErrCorrupt, err)
	}
	if j.Manifest == nil || j.Manifest.Plan == nil {
		return fmt.Errorf("note: %w: the manifest is missing", blosc2.ErrCorrupt)
	}
	m := Note{j.Manifest, j.Parts, j.Held}
	if what := m.wrong(); what != "" {
		return fmt.Errorf("note: %w: %s", blosc2.ErrCorrupt, what)
	}
	*n = m
	return nil
}

// A partWriter puts the bytes written to it in parts. It keeps enough bytes that no
// part is too short.
type partWriter struct {
	ctx     context.Context
	up      parts.Object
	least   int64 // bytes of a part
	size    int64
	next    int // number of the next part
	parts   []parts.Part
	buf     []byte
	held    io.Writer
	heldLen int64
}

func (w *partWriter) Write(p []byte) (int, error) {
	n := len(p)
	if k := min(w.least-w.heldLen, int64(n)); k > 0 {
		if err := w.hold(p[:k]); err != nil {
			return 0, err
		}
		p = p[k:]
	}
	for len(p) > 0 {
		k := min(int64(len(p)), w.size+w.least-int64(len(w.buf)))
		w.buf = append(w.buf, p[:k]...)
		p = p[k:]
		if int64(len(w.buf)) == w.size+w.least {
			if err := w.put(w.size); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

func (w *partWriter) hold(p []byte) error {
	n, err := w.held.Write(p)
	w.heldLen += int64(n)
	return err
}

// put puts the first n bytes of the buffer.
func (w *partWriter) put(n int64) error {
	tag, err := w.up.Put(w.ctx, w.next, bytes.NewReader(w.buf[:n]), n)
	if err != nil {
		return err
	}
	w.parts = append(w.parts, parts.Part{Number: w.next, Size: n, Tag: tag})
	w.next++
	w.buf = append(w.buf[:0], w.buf[n:]...)
	return nil
}

func (w *partWriter) close() error {
	switch n := int64(len(w.buf)); {
	case n == 0:
		return nil
	case n < w.least: // no part was put
		return w.hold(w.buf)
	default:
		return w.put(n)
	}
}

// A NotedShard is a Note with the held bytes.
type NotedShard struct {
	*Note
	Name string                        // name of the shard, for errors
	Open func() (io.ReadCloser, error) // the held bytes; called each time they are read
}

// CompleteParts puts the missing parts of the object, which are the header, the
// held bytes, index and trailer, and completes it. It does not read the parts
// that were put, so it does not check the digests of the shards; the store has
// checked each part.
func CompleteParts(ctx context.Context, up parts.Object, notes []NotedShard, vlmeta ...VLMeta) error {
	r, err := rulesOf(up)
	if err != nil {
		return err
	}
	byShard := map[int]NotedShard{}
	var shards []Shard
	for _, n := range notes {
		if what := n.wrong(); what != "" {
			s := Shard{Manifest: n.Manifest, Name: n.Name}
			return s.wrong(ErrDamaged, what)
		}
		byShard[n.Shard] = n
		shards = append(shards, Shard{Manifest: n.Manifest, Name: n.Name})
	}
	shards, err = inOrder(shards)
	if err != nil {
		return err
	}
	head, tail, err := ends(shards, vlmeta)
	if err != nil {
		return err
	}
	var all []parts.Part
	glue := newGlue(head)
	for _, s := range shards {
		n := byShard[s.Shard]
		if n.Held > 0 {
			glue.addHeld(n)
		}
		if len(n.Parts) == 0 {
			continue
		}
		first, _ := numbers(r.Count, s.Shard, s.Plan.shards)
		if glue.size > 0 {
			part, err := glue.put(ctx, up, first)
			if err != nil {
				return err
			}
			all = append(all, part)
			glue = newGlue(nil)
		}
		all = append(all, n.Parts...)
	}
	glue.addBytes(tail)
	part, err := glue.put(ctx, up, r.Count)
	if err != nil {
		return err
	}
	return up.Complete(ctx, append(all, part))
}

// wrong returns why a note is invalid, or "" if it is valid.
func (n *Note) wrong() string {
	sum, last := n.Held, 0
	for _, p := range n.Parts {
		if p.Size < 1 || p.Size > n.Len() || p.Number <= last || sum > n.Len() {
			return fmt.Sprintf("invalid part %d of %d bytes", p.Number, p.Size)
		}
		sum, last = sum+p.Size, p.Number
	}
	if n.Held < 0 || sum != n.Len() {
		return fmt.Sprintf("has %d bytes of parts; its manifest says %d", sum, n.Len())
	}
	return ""
}
