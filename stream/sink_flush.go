package stream

import (
	"errors"
	"reflect"
)

// flushTo flushes the buffer of a Writer's sink, if it has a method for that:
// FlushError() error or Flush() error, as a bufio.Writer and a gzip.Writer
// have, or Flush(), the method of an http.Flusher. An http.ResponseWriter with
// none of them is unwrapped, as by an http.ResponseController. A sink that does
// not support flushing is treated like one without the method.
func flushTo(sink any) error {
	for sink != nil {
		var err error
		switch f := sink.(type) {
		case interface{ FlushError() error }:
			err = f.FlushError()
		case interface{ Flush() error }:
			err = f.Flush()
		case interface{ Flush() }:
			f.Flush()
		default:
			sink = unwrap(sink)
			continue
		}
		if errors.Is(err, errors.ErrUnsupported) {
			return nil
		}
		return err
	}
	return nil
}

// unwrap returns the http.ResponseWriter that another one wraps, or nil if it wraps
// none. The result type of the method Unwrap is net/http's, which is too large to
// be imported for this.
func unwrap(sink any) any {
	if _, ok := sink.(interface{ WriteHeader(statusCode int) }); !ok {
		return nil
	}
	m := reflect.ValueOf(sink).MethodByName("Unwrap")
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 {
		return nil
	}
	return m.Call(nil)[0].Interface()
}
