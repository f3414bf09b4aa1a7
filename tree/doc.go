// Package tree reads and writes the stores of python-blosc2: many arrays, frames,
// tables and sequences of objects under keys such as /run1/x, in a zip (.b2z), a
// folder (.b2d) or one frame (.b2e).
//
//	s, err := tree.OpenFile("results.b2z")
//	defer s.Close()
//	for key := range s.Keys() {
//		fmt.Println(key)
//	}
//	n, err := s.Node("/run1/x")
//	a, err := n.Array()
//
// Open takes a zip or a frame from any io.ReaderAt and reads the directory of
// the store alone; a window of an array in a zip costs what the window costs. From
// a ranges.ReaderAt, which is far away, it is read in few requests. A Store is an
// io/fs.FS of the frames in it, too.
//
// What a node is says its Kind: see KindOf, which also takes the frame of a file
// that is in no store. Objects, Batches and List read sequences of msgpack values
// one by one. A Recipe, a reference to another array and the source of a proxy
// cache are returned as what is written there. Nothing is executed or followed,
// and the access token that a proxy cache holds is dropped.
//
// Write and WriteFolder make stores that python-blosc2 opens, Update changes
// a zip or a folder and leaves the other members where they are.
//
// The methods of a Store and of its nodes may be called by several goroutines at
// once, if those of the source may, except Close.
package tree
