package tree

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/ranges"
)

// A Layout is the form of a store.
type Layout uint8

// These are the layouts of stores.
const (
	Zip    Layout = iota // .b2z
	Folder               // .b2d
	Embed                // .b2e: a single frame
)

// String returns the suffix of the layout.
func (l Layout) String() string { return [...]string{".b2z", ".b2d", ".b2e"}[l] }

// A Store is a set of nodes with keys.
type Store struct {
	data   *data
	prefix string // prefix of keys in the whole store, for a table within it; "" or begins with a slash
}

// A data holds the state that all views of a store share.
type data struct {
	layout  Layout
	isTree  bool
	members memberSource // nil for the layout Embed
	embed   *frame.Reader
	cfg     config
	depth   int

	leaves []leaf // sorted by key
	tables []string
	close  []io.Closer
	mu     sync.Mutex // guards close and opened
	closed bool
}

// A leaf is a key with a frame, or with a reference to an array elsewhere.
type leaf struct {
	key    string
	member string // name of the member; "" for an embedded frame
	size   int64  // number of bytes of the frame
	offset int64  // offset of an embedded frame in the bytes of embed.b2e
	ref    meta.Map
}

// A memberSource holds the members of a store: a zip or a folder.
type memberSource interface {
	// open returns a member's bytes.
	open(name string) (io.ReaderAt, int64, io.Closer, error)
}

type config struct {
	frame   []frame.Option
	members int
}

// An Option changes how a store is opened.
type Option func(*config)

// FrameOptions sets the options for the frames of the store.
func FrameOptions(opts ...frame.Option) Option {
	return func(c *config) { c.frame = append(c.frame, opts...) }
}

// DefaultMaxMembers is the default of MaxMembers.
const DefaultMaxMembers = 1 << 20

// MaxMembers limits the number of members of a store. One with more results in
// blosc2.ErrTooLarge.
func MaxMembers(n int) Option { return func(c *config) { c.members = n } }

func newConfig(opts []Option) config {
	c := config{members: DefaultMaxMembers}
	for _, o := range opts {
		if o != nil {
			o(&c)
		}
	}
	return c
}

const embedFile = "embed.b2e"

// Open opens the store in r, which holds size bytes: a zip, or a frame of
// embedded values. Only its directory and the frame with the embedded values are
// read.
//
// Anything but a store results in blosc2.ErrNotBlosc2, or blosc2.ErrUnsupported for
// a frame of another kind. A damaged zip and an invalid name, such as one with "..",
// return blosc2.ErrCorrupt.
func Open(r io.ReaderAt, size int64, opts ...Option) (*Store, error) {
	if err := framing.Need(r != nil, "source", "an io.ReaderAt"); err != nil {
		return nil, err
	}
	cfg := newConfig(opts)
	if _, far := ranges.Of(r); far { // required, because it shows that the file is a zip
		if s, err := openZip(r, size, cfg); !errors.Is(err, blosc2.ErrNotBlosc2) {
			return s, err
		}
	}
	var head [len(frame.Magic)]byte
	if n, err := r.ReadAt(head[:min(int64(len(head)), size)], 0); err != nil && err != io.EOF {
		return nil, err
	} else if string(head[:n]) == frame.Magic {
		f, err := frame.Open(r, size, cfg.frame...)
		if err != nil {
			return nil, err
		}
		return openEmbed(f, cfg, 0)
	}
	return openZip(r, size, cfg)
}

// openEmbed opens a store in a single frame.
func openEmbed(f *frame.Reader, cfg config, depth int) (*Store, error) {
	if KindOf(f) != KindEmbed {
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "the frame is not a store, but %s", KindOf(f))
	}
	d := &data{layout: Embed, embed: f, cfg: cfg, depth: depth}
	return d.finish(nil)
}

// Store opens a store in a single frame that is itself in a store or a value.
func (n *Node) Store() (*Store, error) {
	switch {
	case n.store != nil:
		return n.store, nil
	case n.kind != KindEmbed:
		return nil, n.not("a group, table or store")
	case n.depth >= maxDepth:
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "stores nested more than %d deep", maxDepth)
	}
	return openEmbed(n.f, newConfig(nil), n.depth+1)
}

// finish lists the keys of a store, after the leaves among its members have been
// found.
func (d *data) finish(members []leaf) (*Store, error) {
	_, dict := d.embed.Metalayer(dictName)
	_, d.isTree = d.embed.Metalayer(treeName)
	if _, embed := d.embed.Metalayer(embedName); !dict && !d.isTree && (!embed || d.layout != Embed) {
		return nil, blosc2.Errorf(blosc2.PartMeta, blosc2.ErrCorrupt, "%s has no metalayer %s or %s", embedFile, dictName, treeName)
	}
	embedded, err := d.embedded()
	if err != nil {
		return nil, err
	}
	d.leaves = append(members, embedded...) // a member takes precedence over an embedded value
	slices.SortStableFunc(d.leaves, func(a, b leaf) int { return cmp.Compare(a.key, b.key) })
	for i := 1; i < len(d.leaves); i++ {
		if a, b := d.leaves[i-1], d.leaves[i]; a.key == b.key && a.member != "" && b.member != "" {
			return nil, corrupt(blosc2.PartDirectory, "members %q and %q have the same key", a.member, b.member)
		}
	}
	d.leaves = slices.CompactFunc(d.leaves, func(a, b leaf) bool { return a.key == b.key })
	if len(d.leaves) > d.cfg.members {
		return nil, blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrTooLarge, "%d members; the limit is %d", len(d.leaves), d.cfg.members)
	}
	return &Store{data: d}, d.findTables()
}

// embedded lists the values in embed.b2e.
func (d *data) embedded() ([]leaf, error) {
	m, err := vlMap(d.embed, valuesName)
	if err != nil || m == nil {
		return nil, err
	}
	v, _ := m.Get("embed_map")
	all, ok := v.(meta.Map)
	if !ok {
		return nil, corrupt(blosc2.PartVLMeta, "estore_metadata lacks embed_map")
	}
	var out []leaf
	for _, p := range all {
		key, _ := p.Key.(string)
		at, ok := p.Value.(meta.Map)
		if err := checkKey(key); err != nil || !ok {
			return nil, corrupt(blosc2.PartVLMeta, "embed_map: invalid key %q", key)
		}
		if url, remote := at.Get("urlbase"); remote {
			_ = url // the value is null for the program's default server
			out = append(out, leaf{key: key, ref: append(meta.Map{{Key: "kind", Value: "c2array"}}, at...)})
			continue
		}
		off, ok1 := number(at, "offset")
		n, ok2 := number(at, "length")
		if !ok1 || !ok2 || off < 0 || n < 0 || n > d.embed.Size()-off {
			return nil, corrupt(blosc2.PartVLMeta, "embed_map: %q has %d bytes at offset %d, which are not within the store's %d bytes", key, n, off, d.embed.Size())
		}
		out = append(out, leaf{key: key, size: n, offset: off})
	}
	return out, nil
}

// checkKey returns an error for an invalid key. "/" is the root, and not a
// leaf.
func checkKey(key string) error {
	bad := !strings.HasPrefix(key, "/") || key == "/" || strings.HasSuffix(key, "/") || strings.Contains(key, "//") ||
		strings.ContainsAny(key, ":\x00\r\n\t") || !utf8.ValidString(key)
	for part := range strings.SplitSeq(strings.TrimPrefix(key, "/"), "/") {
		bad = bad || part == "." || part == ".."
	}
	if bad {
		return &blosc2.OptionError{Option: "key", Value: key, Range: `a path such as "/group/name" without empty parts, "..", ":" and control characters`}
	}
	return nil
}

// Layout returns the store's layout.
func (s *Store) Layout() Layout { return s.data.layout }

// IsTree reports whether the store is a TreeStore, with metadata for groups and
// perhaps tables, rather than a DictStore or EmbedStore.
func (s *Store) IsTree() bool { return s.data.isTree }

// Close closes the files of a folder, and the file that OpenFile opened. Nodes
// must not be used afterwards. It does not close the source of Open.
func (s *Store) Close() error {
	if s.prefix != "" {
		return nil // a view does not own the files
	}
	s.data.mu.Lock()
	defer s.data.mu.Unlock()
	s.data.closed = true
	var errs []error
	for _, c := range slices.Backward(s.data.close) {
		errs = append(errs, c.Close())
	}
	s.data.close = nil
	return errors.Join(errs...)
}

// keep makes Store.Close close c too.
func (d *data) keep(c io.Closer) error {
	if c == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		c.Close()
		return blosc2.ErrClosed
	}
	d.close = append(d.close, c)
	return nil
}

// find returns the leaf of a key of the whole store.
func (d *data) find(key string) (leaf, bool) {
	i, ok := slices.BinarySearchFunc(d.leaves, key, func(l leaf, key string) int { return cmp.Compare(l.key, key) })
	if !ok {
		return leaf{}, false
	}
	return d.leaves[i], true
}

// below returns the leaves with keys that begin with a group's key and a slash.
func (d *data) below(group string) []leaf {
	prefix := strings.TrimSuffix(group, "/") + "/"
	i, _ := slices.BinarySearchFunc(d.leaves, prefix, func(l leaf, key string) int { return cmp.Compare(l.key, key) })
	j, _ := slices.BinarySearchFunc(d.leaves[i:], prefix, func(l leaf, prefix string) int {
		if strings.HasPrefix(l.key, prefix) {
			return -1
		}
		return 1
	})
	return d.leaves[i : i+j]
}

// Keys yields the keys of all leaves and tables in order, without the parts of
// tables and the metadata of groups: see RawKeys.
func (s *Store) Keys() iter.Seq[string] {
	return func(yield func(string) bool) {
		d, last := s.data, ""
		for _, l := range d.below(s.prefix) {
			key := l.key
			if t, ok := d.tableOf(key); ok && len(t) > len(s.prefix) {
				key = t
			} else if d.isTree && isMetadata(key) {
				continue
			}
			if key != last && !yield(s.relative(key)) {
				return
			}
			last = key
		}
	}
}

// relative converts a key of the whole store to one of this view.
func (s *Store) relative(key string) string {
	if key = key[len(s.prefix):]; key == "" {
		return "/"
	}
	return key
}

// RawKeys yields the keys of all leaves, including those of tables and
// metadata.
func (s *Store) RawKeys() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, l := range s.data.below(s.prefix) {
			if !yield(s.relative(l.key)) {
				return
			}
		}
	}
}

// Children returns the names directly in a group, "/" for the root, in order.
func (s *Store) Children(group string) []string {
	prefix := strings.TrimSuffix(group, "/") + "/"
	var out []string
	for key := range s.Keys() {
		if !strings.HasPrefix(key, prefix) {
			continue
		}
		name, _, _ := strings.Cut(key[len(prefix):], "/")
		if name != "" && (len(out) == 0 || out[len(out)-1] != name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Node returns the node of a key, "/" for the root. An unknown key returns
// fs.ErrNotExist. Node opens the frame of a leaf; other errors are those of
// frame.Open, and blosc2.ErrUnsupported for a compressed member of a zip.
func (s *Store) Node(key string) (*Node, error) {
	d, full := s.data, s.prefix
	if key != "/" {
		if err := checkKey(key); err != nil {
			return nil, err
		}
		full += key
	}
	if t, ok := d.tableOf(full); ok && t == full {
		return &Node{key: key, kind: KindTable, store: &Store{d, t}}, nil
	}
	l, ok := d.find(full)
	switch {
	case !ok && (key == "/" || len(d.below(full)) > 0):
		return &Node{key: key, kind: KindGroup, store: &Store{d, full}}, nil
	case !ok:
		return nil, &fs.PathError{Op: "open", Path: key, Err: fs.ErrNotExist}
	case l.ref != nil:
		return &Node{key: key, kind: KindRemote, ref: l.ref}, nil
	}
	f, err := d.openLeaf(l)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: key, Err: err}
	}
	return &Node{key: key, kind: KindOf(f), f: f, size: l.size, depth: d.depth}, nil
}

// openLeaf opens the frame of a leaf.
func (d *data) openLeaf(l leaf) (*frame.Reader, error) {
	r, size, err := d.bytesOf(l)
	if err != nil {
		return nil, err
	}
	f, err := frame.Open(r, size, d.cfg.frame...)
	if err == nil {
		framing.FirstChunk(f)
	}
	return f, err
}

// bytesOf returns the stored bytes of a leaf.
func (d *data) bytesOf(l leaf) (io.ReaderAt, int64, error) {
	if l.member == "" {
		return io.NewSectionReader(d.embed, l.offset, l.size), l.size, nil
	}
	r, size, c, err := d.members.open(l.member)
	if err == nil {
		err = d.keep(c)
	}
	return r, size, err
}
