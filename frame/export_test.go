package frame

// Note counts a chunk of any kind, as AddChunk did before it refused some.
func (b *Builder) Note(nbytes, cbytes int) error { return b.note(nbytes, cbytes) }

// WriteHeader puts a header over the one of a frame, as a commit does.
var WriteHeader = writeHeader
