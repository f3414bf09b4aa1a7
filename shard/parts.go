package shard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/stream"
)

// Parts is an object of a store that is written in numbered parts, by any number
// of machines at once: a multipart upload of S3, a list of blocks of Azure, objects
// to be composed of Google. A part that is put again under its number replaces the
// one before. Nothing of the object is seen before Complete.
type Parts interface {
	// PutPart puts size bytes as part number n, from 1 on, and returns a tag that
	// Complete needs; it may be empty.
	PutPart(ctx context.Context, n int, body io.Reader, size int64) (tag string, err error)
	// Complete makes the object of the parts, whose numbers ascend.
	Complete(ctx context.Context, parts []Part) error
}

// A Part is one that was put.
type Part struct {
	Number int    `json:"number"`
	Size   int64  `json:"size"`
	Tag    string `json:"tag,omitempty"`
}

// A PartRule says what parts a store takes.
type PartRule struct {
	Min   int64 // bytes of each part but the last; 0 for any
	Max   int64 // bytes of a part
	Count int   // parts of an object, and the greatest number
}

// RuleS3 returns the rule of S3, as it is published. Stores that speak its protocol
// have the same, except those that want parts of equal size.
func RuleS3() PartRule { return PartRule{Min: 5 << 20, Max: 5 << 30, Count: 10000} }

// RuleAzure returns the rule of Azure's block blobs, as it is published.
func RuleAzure() PartRule { return PartRule{Max: 4000 << 20, Count: 50000} }

// RuleGoogle returns the rule of Google's store, as it is published. It composes
// 32 objects at a time, and what was composed again, so the number is what an
// implementation of Parts is ready for.
func RuleGoogle() PartRule { return PartRule{Max: 5 << 40, Count: 32 * 32} }

// defaultPart is the size of a part where that is enough.
const defaultPart = 16 << 20

// A Note is what a worker has put, and what it has not: the first Held bytes of its
// shard. Its JSON form is to be kept, with those bytes, until CompleteParts.
type Note struct {
	*Manifest
	Parts []Part
	Held  int64
}

// numbers returns the first of the numbers that belong to shard k, and how many
// there are. The last number of all is that of the trailer.
func (r PartRule) numbers(k, of int) (first, n int) {
	n = (r.Count - 1) / of
	return 1 + k*n, n
}

// PartSize returns the least size of parts, from 16 MiB on, with which every shard
// of the plan fits into its share of the part numbers, even where nothing can be
// compressed. UploadShard holds so much, and the rule's Min, in memory. More shards
// than the store has numbers for are a *blosc2.OptionError.
func (p *Plan) PartSize(r PartRule) (int64, error) {
	_, n := r.numbers(0, p.shards)
	if n < 2 {
		return 0, &blosc2.OptionError{Option: "shards", Value: p.shards, Range: fmt.Sprintf("at most %d, for a store of %d parts", (r.Count-1)/2, r.Count)}
	}
	most := int64(0)
	for k := range p.shards {
		first, end := p.Chunks(k)
		most = max(most, (end-first)*(int64(p.h.ChunkSize)+chunk.Overhead+int64(p.headLen()-len(p.raw))))
	}
	size := max(defaultPart, r.Min, (most+int64(n)-2)/int64(n-1))
	if size+r.Min > r.Max {
		return 0, &blosc2.OptionError{Option: "shards", Value: p.shards, Range: fmt.Sprintf("so many that parts of at most %d bytes are enough", r.Max)}
	}
	return size, nil
}

// UploadShard makes shard k and puts it into the object. Every worker of the plan
// puts parts of the same object: each has numbers of its own, so they need not know
// of each other, and one that is made again replaces its own parts.
//
// No byte is put twice, with one exception. All parts but the last must have the
// rule's Min, 5 MiB with S3, but the header's size and what neighbours leave is
// known at the end only. So the first Min bytes of a shard, or all of a shorter one,
// are not put but written to held, and CompleteParts puts them.
func (p *Plan) UploadShard(ctx context.Context, up Parts, r PartRule, held io.Writer, k int, fill Fill, opts ...stream.Option) (*Note, error) {
	size, err := p.PartSize(r)
	if err != nil {
		return nil, err
	}
	if err := p.checkShard(k); err != nil {
		return nil, err
	}
	first, _ := r.numbers(k, p.shards)
	w := &partWriter{ctx: ctx, up: up, rule: r, size: size, next: first + 1, held: held}
	m, err := p.WriteShard(w, k, fill, append(opts, stream.Context(ctx))...)
	if err == nil {
		err = w.close()
	}
	if err != nil {
		return nil, err
	}
	return &Note{Manifest: m, Parts: w.parts, Held: w.heldLen}, nil
}

type noteJSON struct {
	Manifest *Manifest `json:"manifest"`
	Parts    []Part    `json:"parts"`
	Held     int64     `json:"held"`
}

// MarshalJSON returns all of the note.
func (n *Note) MarshalJSON() ([]byte, error) {
	return json.Marshal(noteJSON{n.Manifest, n.Parts, n.Held})
}

// UnmarshalJSON reads what MarshalJSON returned. What cannot be a note is
// blosc2.ErrCorrupt, or an error about its manifest.
func (n *Note) UnmarshalJSON(text []byte) error {
	var j noteJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return fmt.Errorf("note: %w: %w", blosc2.ErrCorrupt, err)
	}
	if j.Manifest == nil || j.Manifest.Plan == nil {
		return fmt.Errorf("note: %w: no manifest", blosc2.ErrCorrupt)
	}
	m := Note{j.Manifest, j.Parts, j.Held}
	if what := m.wrong(); what != "" {
		return fmt.Errorf("note: %w: %s", blosc2.ErrCorrupt, what)
	}
	*n = m
	return nil
}

// A partWriter puts what it is given in parts. It holds back so much that no part
// is too short.
type partWriter struct {
	ctx     context.Context
	up      Parts
	rule    PartRule
	size    int64
	next    int // number of the next part
	parts   []Part
	buf     []byte
	held    io.Writer
	heldLen int64
}

func (w *partWriter) Write(p []byte) (int, error) {
	n := len(p)
	if k := min(w.rule.Min-w.heldLen, int64(n)); k > 0 {
		if err := w.hold(p[:k]); err != nil {
			return 0, err
		}
		p = p[k:]
	}
	for len(p) > 0 {
		k := min(int64(len(p)), w.size+w.rule.Min-int64(len(w.buf)))
		w.buf = append(w.buf, p[:k]...)
		p = p[k:]
		if int64(len(w.buf)) == w.size+w.rule.Min {
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
	tag, err := w.up.PutPart(w.ctx, w.next, bytes.NewReader(w.buf[:n]), n)
	if err != nil {
		return err
	}
	w.parts = append(w.parts, Part{w.next, n, tag})
	w.next++
	w.buf = append(w.buf[:0], w.buf[n:]...)
	return nil
}

func (w *partWriter) close() error {
	switch n := int64(len(w.buf)); {
	case n == 0:
		return nil
	case n < w.rule.Min: // no part was put
		return w.hold(w.buf)
	default:
		return w.put(n)
	}
}

// A NotedShard is a Note with the bytes that were held.
type NotedShard struct {
	*Note
	Name string                        // for errors
	Open func() (io.ReadCloser, error) // the held bytes; not called if there are none
}

// CompleteParts puts what is missing of the object, the header, what was held, index
// and trailer, and completes it. It reads nothing that was put, so the digests of
// the shards are not compared; the store has compared its own.
func CompleteParts(ctx context.Context, up Parts, r PartRule, notes []NotedShard, vlmeta ...VLMeta) error {
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
	shards, err := inOrder(shards)
	if err != nil {
		return err
	}
	head, tail, err := ends(shards, vlmeta)
	if err != nil {
		return err
	}
	var all []Part
	glue := newGlue(head)
	defer glue.close()
	for _, s := range shards {
		n := byShard[s.Shard]
		if n.Held > 0 {
			glue.add(n)
		}
		if len(n.Parts) == 0 {
			continue
		}
		first, _ := r.numbers(s.Shard, s.Plan.shards)
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
	glue.readers = append(glue.readers, bytes.NewReader(tail))
	glue.size += int64(len(tail))
	part, err := glue.put(ctx, up, r.Count)
	if err != nil {
		return err
	}
	return up.Complete(ctx, append(all, part))
}

// wrong says why a note cannot be; "" if it can.
func (n *Note) wrong() string {
	sum, last := n.Held, 0
	for _, p := range n.Parts {
		if p.Size < 1 || p.Size > n.Len() || p.Number <= last || sum > n.Len() {
			return fmt.Sprintf("part %d of %d bytes", p.Number, p.Size)
		}
		sum, last = sum+p.Size, p.Number
	}
	if n.Held < 0 || sum != n.Len() {
		return fmt.Sprintf("parts of %d bytes, its manifest says %d", sum, n.Len())
	}
	return ""
}

// glue is what is put between the parts of the shards.
type glue struct {
	readers []io.Reader
	size    int64
	opened  []io.Closer
}

func newGlue(head []byte) *glue {
	return &glue{readers: []io.Reader{bytes.NewReader(head)}, size: int64(len(head))}
}

func (g *glue) add(n NotedShard) {
	g.size += n.Held
	g.readers = append(g.readers, &lazy{g: g, n: n})
}

func (g *glue) put(ctx context.Context, up Parts, number int) (Part, error) {
	tag, err := up.PutPart(ctx, number, io.LimitReader(io.MultiReader(g.readers...), g.size), g.size)
	return Part{number, g.size, tag}, errors.Join(err, g.close())
}

func (g *glue) close() (err error) {
	for _, c := range g.opened {
		err = errors.Join(err, c.Close())
	}
	g.opened = nil
	return err
}

// lazy opens the held bytes of a shard when they are read.
type lazy struct {
	g *glue
	n NotedShard
	r io.Reader
}

func (l *lazy) Read(p []byte) (int, error) {
	if l.r == nil {
		file, err := l.n.Open()
		if err != nil {
			s := Shard{Manifest: l.n.Manifest, Name: l.n.Name}
			return 0, s.wrong(err, "")
		}
		l.g.opened = append(l.g.opened, file)
		l.r = io.LimitReader(file, l.n.Held)
	}
	return l.r.Read(p)
}
