// Package serve makes Blosc2 files available by HTTP: the files themselves,
// windows of the arrays in them, their descriptions, a Zarr store of each, and a
// page that shows them in a browser. Nothing can be written through it.
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
// Sizes that a request asks for are computed before the work begins. What exceeds a
// limit is refused with status 413; what exceeds the memory for all requests
// together waits, and is refused with status 503 after that.
package serve
