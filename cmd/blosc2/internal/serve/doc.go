// Package serve makes Blosc2 files available by HTTP: the files themselves,
// windows of the arrays in them, their descriptions, a Zarr store of each, and
// a page that shows them in a browser. It is read-only.
//
//	/                 the page
//	/view/PATH        the page of a file or folder; with .json after it, what it shows
//	/f/PATH           the file, with ranges
//	/a/PATH           a window of an array
//	/info/PATH        what "blosc2 info --json" prints
//	/tree/PATH        a listing of a folder
//	/chunks/PATH      the stored size of each chunk
//	/zarr/PATH/…      the array or folder as a Zarr v3 store
//	/events/PATH      server-sent events about a file that grows
//
// The size of an answer is computed before the work begins. A request that
// exceeds a limit is answered with status 413; one that exceeds the memory for
// all requests together waits, and is then answered with status 503.
package serve
