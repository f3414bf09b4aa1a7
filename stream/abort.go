package stream

// Abort is Close for a caller whose data are not what they should be: the frame
// is left unfinished, nothing more is written, workers end, and a temporary file
// goes. err is what Close gives from then on, unless the Writer had an error
// before or was closed; that is returned instead.
func (w *Writer) Abort(err error) error {
	if w.closed {
		return w.err
	}
	err = w.abort(err)
	w.closed = true
	return err
}
