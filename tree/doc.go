// Package tree reads and writes the stores of python-blosc2: many arrays, frames,
// tables and sequences of objects under keys such as /run1/x, in a zip (.b2z), a
// folder (.b2d) or a single frame (.b2e).
//
//	s, err := tree.OpenFile("results.b2z")
//	defer s.Close()
//	for key := range s.Keys() {
//		fmt.Println(key)
//	}
//	n, err := s.Node("/run1/x")
//	a, err := n.Array()
//
// Open reads only the directory of a zip or frame in any io.ReaderAt; a window
// of an array in a zip costs no more than in a separate file. A remote
// ranges.ReaderAt is read in few requests. A Store is also an io/fs.FS of its
// frames.
//
// The [Kind] of a node is its type: see [KindOf], which also accepts a frame
// outside a store. Objects, Batches and List read sequences of msgpack values one
// by one. A Recipe, a reference to another array and the source of a proxy cache
// are returned as stored. Nothing is executed or followed, and the access token in
// a proxy cache is dropped.
//
// Write and WriteFolder make stores that python-blosc2 opens. Update changes a zip
// or a folder and leaves the other members in place.
//
// The methods of a Store and of its nodes, except Close, may be called by several
// goroutines concurrently if the source's methods may.
package tree
