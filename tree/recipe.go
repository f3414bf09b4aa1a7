package tree

import (
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Recipe describes how an array would be computed: an expression, a function in
// the text of a program, or a reference to an array on a server. It is for people
// to read: nothing is executed or followed.
type Recipe struct {
	Kind   string   // "lazyexpr", "lazyudf", "c2array", or "LazyArray" before python-blosc2 4
	Fields meta.Map // everything that is stored, including Kind
}

// Recipe returns the recipe of a node of KindRecipe or KindRemote.
func (n *Node) Recipe() (Recipe, error) {
	switch {
	case n.kind == KindRemote:
		return Recipe{"c2array", n.ref}, nil
	case n.kind != KindRecipe:
		return Recipe{}, n.not("a recipe or remote array")
	}
	if _, ok := n.f.Metalayer(recipeName); !ok {
		m, err := vlMap(n.f, "_LazyArray")
		return Recipe{oldLazyName, m}, err
	}
	m, err := vlMap(n.f, recipeName)
	if err != nil {
		return Recipe{}, err
	}
	if m == nil {
		return Recipe{}, corrupt(blosc2.PartVLMeta, "recipe lacks its vlmetalayer %s", recipeName)
	}
	kind, _ := text(m, "kind")
	return Recipe{kind, m}, nil
}

// A Proxy describes the source of a proxy cache, and which of its chunks are
// cached.
type Proxy struct {
	Path    string // path of a local source as the writer opened it, which may be relative to another folder, or path on the server
	Server  string // location of a remote source; empty for a local one
	Token   bool   // whether the file holds an access token in clear text, which this package does not return
	Fetched []bool // whether each chunk holds data of the source; false for a partly fetched one
}

// Proxy returns the source of a proxy cache. Values in chunks that were not
// fetched are undefined. If the cache keeps no record of them, a special chunk
// of zeros or uninitialised bytes counts as not fetched.
func (n *Node) Proxy() (Proxy, error) {
	if n.kind != KindProxy {
		return Proxy{}, n.not("proxy cache")
	}
	m, err := layerMap(n.f, proxyName)
	if err != nil {
		return Proxy{}, err
	}
	p := Proxy{}
	p.Path, _ = text(m, "local_abspath")
	if v, _ := m.Get("urlpath"); v != nil {
		parts, _ := sequence(v)
		if s, ok := v.(string); ok {
			parts = []any{s}
		}
		for i, v := range parts {
			switch s, _ := v.(string); i {
			case 0:
				p.Path = s
			case 1:
				p.Server = s
			case 2:
				p.Token = s != ""
			}
		}
	}
	p.Fetched, err = fetched(n.f)
	return p, err
}

// fetched returns which chunks of a cache hold data.
func fetched(f *frame.Reader) ([]bool, error) {
	out := make([]bool, f.NumChunks())
	bit := func(b []byte, i int64) bool { return i/8 < int64(len(b)) && b[i/8]>>(i%8)&1 != 0 }
	if b, ok, err := bitmap(f, "proxy-fetched"); ok || err != nil {
		for i := range out {
			out[i] = bit(b, int64(i))
		}
		return out, err
	}
	blocks, ok, err := bitmap(f, "proxy-fetched-blocks")
	if err != nil {
		return nil, err
	}
	if ok {
		v, _, err := f.VLMetaValue("proxy-fetched-bpc")
		n, isInt := v.(int64)
		if err != nil || !isInt || n < 1 || n > 1<<31 {
			return nil, corrupt(blosc2.PartVLMeta, "proxy cache with blocks lacks a valid number of blocks in a chunk")
		}
		for i := range out {
			out[i] = true
			for k := range n {
				if !bit(blocks, int64(i)*n+k) {
					out[i] = false
					break
				}
			}
		}
		return out, nil
	}
	if stamped, _, _ := f.VLMeta("proxy-stamp"); stamped != nil {
		return out, nil // a cache with a record, but without an entry yet
	}
	for i := range out {
		h, err := f.ChunkHeader(int64(i))
		if err != nil {
			return nil, err
		}
		out[i] = h.Special() != chunk.Uninit && h.Special() != chunk.Zeros
	}
	return out, nil
}

func bitmap(f *frame.Reader, name string) ([]byte, bool, error) {
	v, ok, err := f.VLMetaValue(name)
	if err != nil || !ok {
		return nil, ok, err
	}
	b, isBytes := v.([]byte)
	if !isBytes {
		return nil, true, corrupt(blosc2.PartVLMeta, "%s is not bytes", name)
	}
	return b, true, nil
}

// String writes the source for people, without the token.
func (p Proxy) String() string {
	if p.Server == "" {
		return p.Path
	}
	return strings.TrimSuffix(p.Server, "/") + "/" + strings.TrimPrefix(p.Path, "/")
}
