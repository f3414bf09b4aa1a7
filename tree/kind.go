package tree

import (
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Kind is the type of a node.
type Kind uint8

// These are the kinds of nodes.
const (
	KindFrame   Kind = iota // bytes in a frame
	KindArray               // an n-dimensional array
	KindTensor              // bytes in a frame, with shape and dtype in a vlmetalayer
	KindObjects             // a sequence of objects: see Objects
	KindBatches             // batches of objects: see Batches
	KindList                // rows that are lists: see List
	KindRecipe              // an array that was never computed: see Recipe
	KindProxy               // a partial cache of another array: see Proxy
	KindRemote              // a reference to an array elsewhere: see Recipe
	KindEmbed               // a store in a single frame
	KindGroup               // a group of a store
	KindTable               // a table: see package table
)

var kindNames = [...]string{
	KindFrame: "frame", KindArray: "array", KindTensor: "tensor", KindObjects: "object array",
	KindBatches: "batch array", KindList: "list array", KindRecipe: "recipe", KindProxy: "proxy cache",
	KindRemote: "remote array", KindEmbed: "store", KindGroup: "group", KindTable: "table",
}

// String returns the name of the kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// These are the metalayers that determine the kind of a frame.
const (
	proxyName    = "proxy-source"
	recipeName   = "b2o"
	listName     = "listarray"
	objectsName  = "vlarray"
	batchesName  = "batcharray"
	embedName    = "b2embed"
	dictName     = "b2dict"
	treeName     = "b2tree"
	oldLazyName  = "LazyArray"
	tensorVLName = "__pack_tensor__"
)

// byMetalayer lists the metalayers that determine the kind of a frame, in order
// of precedence.
var byMetalayer = []struct {
	name string
	kind Kind
}{
	{proxyName, KindProxy}, {recipeName, KindRecipe}, {oldLazyName, KindRecipe}, {listName, KindList},
	{objectsName, KindObjects}, {batchesName, KindBatches}, {embedName, KindEmbed}, {dictName, KindEmbed},
	{treeName, KindEmbed}, {meta.B2NDName, KindArray}, {meta.CatervaName, KindArray},
}

// KindOf returns the kind of a frame, which its metalayers determine, not its file
// name. It is never KindGroup, KindRemote or KindTable: a table in a single frame
// is a store, and package table opens it.
func KindOf(f *frame.Reader) Kind {
	for _, m := range byMetalayer {
		if _, ok := f.Metalayer(m.name); ok {
			return m.kind
		}
	}
	if _, ok, _ := f.VLMeta(tensorVLName); ok {
		return KindTensor
	}
	return KindFrame
}
