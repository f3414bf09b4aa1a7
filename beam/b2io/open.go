package b2io

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/remote"
)

// A File is the result of an Opener. If it is a ranges.ReaderAt, it is read in
// few requests.
type File interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// An Opener opens the file that a URL names.
type Opener func(ctx context.Context, url string) (File, error)

var openers = struct {
	sync.RWMutex
	m map[string]Opener
}{m: map[string]Opener{"http": openHTTP, "https": openHTTP}}

// RegisterOpener adds a scheme of URLs, such as "s3", or replaces an earlier one.
// Programs call it in an init function, so that every worker knows the scheme.
func RegisterOpener(scheme string, open Opener) {
	openers.Lock()
	defer openers.Unlock()
	openers.m[scheme] = open
}

// stores holds the stores that RegisterStore has added, by the scheme of their URLs.
var stores = struct {
	sync.Mutex
	open map[string]func(ctx context.Context) (remote.ShardStore, error)
	m    map[string]remote.ShardStore // stores that are open
}{open: map[string]func(ctx context.Context) (remote.ShardStore, error){}, m: map[string]remote.ShardStore{}}

// RegisterStore adds a scheme of URLs of a store that is read and written, or
// replaces an earlier one. open is called at most once. Programs call RegisterStore
// in an init function, so that every worker knows the scheme.
func RegisterStore(scheme string, open func(ctx context.Context) (remote.ShardStore, error)) {
	stores.Lock()
	defer stores.Unlock()
	stores.open[scheme] = open
	delete(stores.m, scheme)
	RegisterOpener(scheme, func(ctx context.Context, url string) (File, error) {
		store, err := storeOf(ctx, url)
		if err != nil {
			return nil, err
		}
		return store.Open(ctx, url)
	})
}

// isURL reports whether name is the URL of an object in a store.
func isURL(name string) bool { return strings.Contains(name, "://") }

// storeOf returns the store of a URL.
func storeOf(ctx context.Context, url string) (remote.ShardStore, error) {
	scheme, _, _ := strings.Cut(url, "://")
	stores.Lock()
	defer stores.Unlock()
	if store := stores.m[scheme]; store != nil {
		return store, nil
	}
	open := stores.open[scheme]
	if open == nil {
		return nil, fmt.Errorf("b2io: %s: no store for %s; see RegisterStore", url, scheme)
	}
	store, err := open(context.WithoutCancel(ctx))
	if err == nil {
		stores.m[scheme] = store
	}
	return store, err
}

func openHTTP(ctx context.Context, url string) (File, error) { return remote.Open(ctx, url) }

// localFile is a File of the system.
type localFile struct {
	*os.File
	size int64
}

// Size returns the size of the file when it was opened.
func (f localFile) Size() int64 { return f.size }

func openLocal(name string) (File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return localFile{f, info.Size()}, nil
}

// Open opens a file by its path or URL.
func Open(ctx context.Context, name string) (File, error) {
	scheme, _, ok := strings.Cut(name, "://")
	if !ok {
		return openLocal(name)
	}
	openers.RLock()
	open := openers.m[scheme]
	openers.RUnlock()
	if open == nil {
		return nil, fmt.Errorf("b2io: %s: no opener for %s; see RegisterOpener", name, scheme)
	}
	return open(ctx, name)
}

// A source is a frame or an array that windows are read from.
type source struct {
	name  string
	file  File
	frame *frame.Reader
	array *b2nd.Array // nil for a frame without an array
	cut   *b2nd.Cut
}

func openSource(ctx context.Context, name string) (_ *source, err error) {
	s := &source{name: name}
	if s.file, err = Open(ctx, name); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.file.Close()
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	if s.frame, err = frame.Open(s.file, s.file.Size()); err != nil {
		return nil, err
	}
	if _, ok := s.frame.Metalayer("b2nd"); ok {
		if s.array, err = b2nd.FromFrame(s.frame); err != nil {
			return nil, err
		}
		if s.cut, err = b2nd.NewCut(s.array.Descriptor(), s.array.ItemSize()); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *source) close() error { return s.file.Close() }

// window returns an empty Window of the source.
func (s *source) window() Window {
	h := s.frame.Header()
	w := Window{Source: s.name, ItemSize: max(int(h.TypeSize), 1), Codec: h.Codec, CodecMeta: h.CodecMeta, Level: int(h.Level), Filters: h.Filters}
	if s.array != nil {
		w.DType, w.ItemSize = s.array.DType().String(), s.array.ItemSize()
	} else if layer, ok := s.frame.Metalayer(meta.DTypeName); ok {
		value, _ := meta.Decode(layer)
		w.DType, _ = value.(string)
		if d, err := meta.ParseDType(w.DType); err == nil && d.Size > 0 { // the typesize may be that of records of several items
			w.ItemSize = d.Size
		}
	}
	return w
}

// read returns a window of the array.
func (s *source) read(v b2nd.Window) (Window, error) {
	w := s.window()
	for _, p := range v {
		w.Start, w.Shape = append(w.Start, p.Start), append(w.Shape, p.Stop-p.Start)
	}
	if s.array == nil {
		return s.readFrame(w)
	}
	w.Items = make([]byte, w.Bytes())
	return w, s.array.ReadWindow(w.Items, v)
}

// readFrame returns a window of a frame that holds no array.
func (s *source) readFrame(w Window) (Window, error) {
	if s.frame.Size()%int64(w.ItemSize) != 0 {
		w.ItemSize = 1 // the frame's size is not a multiple of the item size
	}
	w.Items = make([]byte, w.Bytes())
	_, err := s.frame.ReadAt(w.Items, w.Start[0]*int64(w.ItemSize))
	if err == io.EOF {
		err = nil
	}
	return w, err
}

// chunks calls do with the window of each chunk that claim accepts, starting at chunk
// first.
func (s *source) chunks(first int64, claim func(n int64) bool, do func(Window)) error {
	if s.array != nil {
		for n := first; claim(n); n++ {
			w, err := s.read(s.cut.Window(n))
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			do(w)
		}
		return nil
	}
	if !claim(first) {
		return nil
	}
	for c, err := range s.frame.Chunks(first) {
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		w := s.window()
		if s.frame.Size()%int64(w.ItemSize) != 0 || c.Start%int64(w.ItemSize) != 0 || len(c.Data)%w.ItemSize != 0 {
			w.ItemSize = 1
		}
		w.Start, w.Shape = []int64{c.Start / int64(w.ItemSize)}, []int64{int64(len(c.Data) / w.ItemSize)}
		w.Items = append([]byte(nil), c.Data...)
		do(w)
		if !claim(c.N + 1) {
			return nil
		}
	}
	return nil
}

// SpecOf returns the Spec of the array in a file.
func SpecOf(ctx context.Context, name string) (b2nd.Spec, error) {
	src, err := openSource(ctx, name)
	if err != nil {
		return b2nd.Spec{}, err
	}
	defer src.close()
	if src.array == nil {
		return b2nd.Spec{}, fmt.Errorf("%s: is not an array", name)
	}
	return src.array.Spec(), nil
}
