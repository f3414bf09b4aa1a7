// Package driver reads and writes a store through a second program, the driver,
// which links the store's client. So stores do not slow down the start of the
// command, and only the drivers in use are started.
//
// The driver of names SCHEME://… is the program blosc2-remote-SCHEME. It calls
// Serve on its standard input and output; the program that starts it calls New on
// the other ends of the two pipes. They use unencrypted HTTP/2, for many requests
// at a time on one connection:
//
//	GET    /1/object?url=&off=&n=&version=   bytes; Blosc2-Size and Blosc2-Version in the header
//	DELETE /1/object?url=                    deletes an object
//	POST   /1/upload?url=                    begins an upload: {"ID", "Rules"}
//	POST   /1/upload?url=&shared=            takes part in the upload of an id, which stays
//	PUT    /1/upload/ID/N                    part N
//	POST   /1/upload/ID?n=                   completes parts 1 to n
//	DELETE /1/upload/ID                      drops the upload
//	GET    /1/unfinished?url=                unfinished uploads, one JSON value on each line
//	DELETE /1/unfinished                     drops the one in the body
//
// An error is sent as a fault, in JSON, which keeps what package remote looks for
// with errors.Is and errors.As. The driver ends when its input ends; it then drops
// the uploads that are not complete. The protocol is not for other programs; it may
// change with each version.
package driver
