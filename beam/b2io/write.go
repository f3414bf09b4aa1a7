package b2io

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/shard"
)

func init() {
	register.DoFn2x1[Window, func(int, []byte), error](&cutFn{})
	register.DoFn1x2[int, int, []byte](&emptyFn{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func(int, int), error](&makeFn{})
	register.DoFn3x1[int, func(*[]byte) bool, func(Window), error](&joinFn{})
	register.DoFn3x2[context.Context, int, func(*int) bool, string, error](&assembleFn{})
	register.DoFn2x2[context.Context, string, string, error](&cleanFn{})
	register.Emitter2[int, []byte]()
	register.Emitter2[int, int]()
	register.Iter1[[]byte]()
	register.Iter1[int]()
}

// MaxShard limits the bytes of items of a shard, because the worker that makes it holds
// them in memory.
const MaxShard = 256 << 20

// Write makes the file that the plan describes from a PCollection<Window>, and
// returns a PCollection<string> of its name. Windows may have any shape and
// order, but must hold each item of the array exactly once: missing and
// duplicate items fail the pipeline. For a plan without an array, windows have
// one dimension, and positions are items from the start of the data.
//
// Windows that belong to several shards are cut into pieces; they must be in Beam's
// global window. Workers write the pieces, and then the shards made of them, into a
// folder next to the file, which each run has for itself. Once all shards are complete
// they are assembled, and the folder is removed. All workers must see the same folder.
// If the output is a URL with a scheme of RegisterStore, the runner moves the
// pieces, and workers put parts of the object: see remote.WriteShard. The file appears
// once it is complete, replacing an existing one, and has the same bytes whatever the
// number of workers. A run that fails leaves its folder.
//
// The shards record the versions of the inputs, which are the files that the windows
// are of. If one of them has changed when all shards are made, the pipeline fails.
func Write(s beam.Scope, out string, plan *shard.Plan, windows beam.PCollection, inputs ...Input) beam.PCollection {
	s = s.Scope("b2io.Write")
	text := planFor(plan, inputs)
	folder := ""
	if !isURL(out) {
		folder = shardFolder(out, text)
	}
	return assemble(s, out, text, inputs, beam.ParDo(s, &makeFn{Plan: text, Out: out}, byShard(s, plan, text, folder, windows)))
}

// Rechunk returns the windows of the plan's array, each of whole chunks, made from
// windows of any shape. The runner moves the items.
func Rechunk(s beam.Scope, plan *shard.Plan, windows beam.PCollection) beam.PCollection {
	s = s.Scope("b2io.Rechunk")
	text := planText(plan)
	return beam.ParDo(s, &joinFn{Plan: text}, byShard(s, plan, text, "", windows))
}

// byShard cuts windows into pieces and groups them, in parcels, by shard. Every shard
// has a group, so that missing pieces are detected.
func byShard(s beam.Scope, plan *shard.Plan, text []byte, folder string, windows beam.PCollection) beam.PCollection {
	parcels := beam.ParDo(s, &cutFn{Plan: text, Folder: folder}, windows)
	return beam.GroupByKey(s, beam.Flatten(s, parcels, beam.ParDo(s, &emptyFn{}, numbers(s, plan.Shards()))))
}

// numbers returns a PCollection<int> of the numbers below n.
func numbers(s beam.Scope, n int) beam.PCollection {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return beam.CreateList(s, all)
}

func planText(p *shard.Plan) []byte {
	text, err := p.MarshalJSON()
	if err != nil {
		panic(err) // a valid plan can always be encoded
	}
	return text
}

// planFor returns the plan of a run. Its source names the inputs and the run, so that
// shards of another input, or of a run at the same time, are not mistaken for its own.
func planFor(p *shard.Plan, inputs []Input) []byte {
	var source []string
	if p.Source() != "" {
		source = append(source, p.Source())
	}
	for _, in := range inputs {
		source = append(source, in.Version)
	}
	return planText(p.WithSource(strings.Join(append(source, "run "+rand.Text()), "; ")))
}

func parsePlan(text []byte) (*layout, error) {
	p := new(shard.Plan)
	if err := json.Unmarshal(text, p); err != nil {
		return nil, err
	}
	return newLayout(p)
}

// shardFolder is the folder of a plan's shards before they are assembled.
func shardFolder(out string, plan []byte) string {
	h := fnv.New64a()
	h.Write(plan)
	return filepath.Join(filepath.Dir(out), fmt.Sprintf(".%s.%016x.shards", filepath.Base(out), h.Sum64()))
}

// assemble joins the shards when all of them are complete.
func assemble(s beam.Scope, out string, plan []byte, inputs []Input, made beam.PCollection) beam.PCollection {
	file := beam.ParDo(s, &assembleFn{Plan: plan, Out: out, Inputs: inputs}, beam.GroupByKey(s, made))
	// A repeated bundle must still find the shards, so they are removed only after the
	// runner has received the name of the file.
	return beam.ParDo(s, &cleanFn{Plan: plan}, beam.Reshuffle(s, file))
}

// place returns the destination of the items of w. For a frame, these are
// bytes.
func (l *layout) place(w *Window) (b2nd.Window, error) {
	v := w.Window()
	shape := []int64{l.plan.Size()}
	if l.cut != nil {
		shape = l.cut.Shape()
	} else if len(v) == 1 {
		v[0].Start, v[0].Stop = v[0].Start*int64(w.ItemSize), v[0].Stop*int64(w.ItemSize)
	}
	ok := len(v) == len(shape) && int64(len(w.Items)) == volume(v)*l.item
	for d := 0; ok && d < len(v); d++ {
		ok = v[d].Start >= 0 && v[d].Start <= v[d].Stop && v[d].Stop <= shape[d]
	}
	if !ok {
		return nil, fmt.Errorf("b2io: a window of %d bytes at %v of shape %v, from %q, is not part of an array of shape %v with items of %d bytes",
			len(w.Items), w.Start, w.Shape, w.Source, shape, l.item)
	}
	return v, nil
}

// setPlace makes w the window part.
func (l *layout) setPlace(w *Window, part b2nd.Window) {
	w.Start, w.Shape, w.ItemSize = nil, nil, int(l.item)
	for _, s := range part {
		w.Start, w.Shape = append(w.Start, s.Start), append(w.Shape, s.Stop-s.Start)
	}
}

// emptyFn returns an empty parcel for each shard.
type emptyFn struct{}

// ProcessElement returns the parcel for shard k.
func (*emptyFn) ProcessElement(k int) (int, []byte) { return k, nil }

// A gathering is the items of one shard.
type gathering struct {
	layout *layout
	boxes  []*box
}

// gather collects the pieces of shard k. Pieces that were written to files are in folder.
func (l *layout) gather(k int, folder string, next func(*[]byte) bool) (*gathering, error) {
	g := &gathering{layout: l}
	size := int64(0)
	for _, w := range l.boxes(k) {
		if size += volume(w) * l.item; size > MaxShard {
			return nil, fmt.Errorf("b2io: shard %d of %d holds more than %d bytes of items; plan more shards", k, l.plan.Shards(), MaxShard)
		}
	}
	for _, w := range l.boxes(k) {
		g.boxes = append(g.boxes, newBox(w, l.item))
	}
	u := &unpacker{folder: folder, next: next}
	for {
		var w Window
		ok, err := u.window(&w)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		v, err := l.place(&w)
		if err != nil {
			return nil, err
		}
		b := g.holding(v)
		if b == nil {
			return nil, fmt.Errorf("b2io: the piece at %v does not belong to shard %d", w.Start, k)
		}
		if !b.put(v, w.Items) {
			return nil, fmt.Errorf("b2io: items of the window at %v of shape %v, from %q, were received twice", w.Start, w.Shape, w.Source)
		}
	}
	for _, b := range g.boxes {
		if n := volume(b.window); b.have != n {
			return nil, fmt.Errorf("b2io: %d of %d items at %v of shape %v are missing, the first at %v", n-b.have, n, starts(b.window), b.window.Shape(), b.firstMissing())
		}
	}
	return g, nil
}

func starts(w b2nd.Window) []int64 {
	s := make([]int64, len(w))
	for d := range w {
		s[d] = w[d].Start
	}
	return s
}

// holding returns the box that holds a window.
func (g *gathering) holding(v b2nd.Window) *box {
	for _, b := range g.boxes {
		if part, ok := intersect(v, b.window); ok && slices.Equal(part, v) {
			return b
		}
	}
	return nil
}

// fill implements shard.Fill.
func (g *gathering) fill(dst []byte, n int64) error {
	l := g.layout
	if l.cut == nil {
		b := g.boxes[0]
		copy(dst, b.items[n*int64(l.plan.Header().ChunkSize)-b.window[0].Start:])
		return nil
	}
	w := l.cut.Window(n)
	if volume(w) == 0 {
		clear(dst)
		return nil
	}
	b := g.holding(w)
	if b == nil {
		return fmt.Errorf("b2io: chunk %d does not belong to this shard", n)
	}
	return l.cut.Pack(dst, n, b.items, b.window)
}

// makeFn makes a shard.
type makeFn struct {
	Plan []byte
	Out  string

	layout *layout
}

// Setup parses the plan.
func (f *makeFn) Setup() (err error) {
	f.layout, err = parsePlan(f.Plan)
	return err
}

// ProcessElement makes shard k of its windows, and emits its number.
func (f *makeFn) ProcessElement(ctx context.Context, k int, next func(*[]byte) bool, emit func(int, int)) error {
	g, err := f.layout.gather(k, shardFolder(f.Out, f.Plan), next)
	if err != nil {
		return err
	}
	if err := makeShard(ctx, f.Out, f.layout.plan, k, g.fill); err != nil {
		return err
	}
	emit(0, k)
	return nil
}

// makeShard writes a shard of the output.
func makeShard(ctx context.Context, out string, p *shard.Plan, k int, fill shard.Fill) error {
	if isURL(out) {
		store, err := storeOf(ctx, out)
		if err != nil {
			return err
		}
		return remote.WriteShard(ctx, store, out, p, k, fill)
	}
	folder := shardFolder(out, planText(p))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return shard.WriteShardFile(folder, p, k, fill)
}

// joinFn makes whole chunks of the pieces of a shard, and emits them as windows.
type joinFn struct {
	Plan []byte

	layout *layout
}

// Setup parses the plan.
func (f *joinFn) Setup() (err error) {
	f.layout, err = parsePlan(f.Plan)
	return err
}

// ProcessElement joins the pieces of shard k.
func (f *joinFn) ProcessElement(k int, next func(*[]byte) bool, emit func(Window)) error {
	l := f.layout
	if l.cut == nil {
		return errors.New("b2io: Rechunk requires the plan of an array")
	}
	g, err := l.gather(k, "", next)
	if err != nil {
		return err
	}
	h := l.plan.Header()
	first, end := l.plan.Chunks(k)
	for n := first; n < end; n++ {
		v := l.cut.Window(n)
		w := Window{Codec: h.Codec, CodecMeta: h.CodecMeta, Level: int(h.Level), Filters: h.Filters, DType: l.plan.Descriptor().DType}
		l.setPlace(&w, v)
		if b := g.holding(v); b != nil {
			w.Items = b.get(v)
		}
		emit(w)
	}
	return nil
}

// assembleFn makes the file from all shards.
type assembleFn struct {
	Plan   []byte
	Out    string
	Inputs []Input
}

// ProcessElement assembles the shards, and returns the name of the output.
func (f *assembleFn) ProcessElement(ctx context.Context, _ int, next func(*int) bool) (string, error) {
	p, err := parsePlan(f.Plan)
	if err != nil {
		return "", err
	}
	seen := make(map[int]bool)
	for k := 0; next(&k); {
		seen[k] = true
	}
	if n := p.plan.Shards(); len(seen) != n {
		return "", fmt.Errorf("b2io: %s: only %d of %d shards were made", f.Out, len(seen), n)
	}
	for i := range f.Inputs {
		if err := f.Inputs[i].check(ctx); err != nil {
			return "", err
		}
	}
	if !isURL(f.Out) {
		return f.Out, shard.AssembleFolder(f.Out, shardFolder(f.Out, f.Plan))
	}
	store, err := storeOf(ctx, f.Out)
	if err != nil {
		return "", err
	}
	return f.Out, remote.AssembleShards(ctx, store, f.Out)
}

// cleanFn removes the folder of the shards.
type cleanFn struct{ Plan []byte }

// ProcessElement removes the folder of the shards of out, and returns out.
func (f *cleanFn) ProcessElement(ctx context.Context, out string) (string, error) {
	if !isURL(out) {
		return out, os.RemoveAll(shardFolder(out, f.Plan))
	}
	store, err := storeOf(ctx, out)
	if err != nil {
		return "", err
	}
	return out, remote.RemoveShards(ctx, store, out)
}
