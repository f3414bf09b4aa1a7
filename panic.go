package blosc2

import (
	"fmt"
	"runtime/debug"
)

// A PanicError is a panic in a goroutine of this library: in a codec, a filter,
// or the Read method of a source. The Writer, Reader or function that the
// goroutine works for ends, releases its resources, and panics with the
// *PanicError in the goroutine of its caller. Value is the original value. A
// later call returns the *PanicError as an error.
type PanicError struct {
	Value any    // the argument of panic; nil after runtime.Goexit
	Stack []byte // stack of the goroutine that panicked
}

// NewPanicError returns a PanicError with the value that recover returned and the
// stack of the calling goroutine. It returns a *PanicError unchanged.
func NewPanicError(recovered any) *PanicError {
	if e, ok := recovered.(*PanicError); ok {
		return e
	}
	return &PanicError{recovered, debug.Stack()}
}

func (e *PanicError) Error() string {
	if e.Value == nil {
		return fmt.Sprintf("blosc2: a goroutine called runtime.Goexit\n\n%s", e.Stack)
	}
	return fmt.Sprintf("blosc2: panic in another goroutine: %v\n\n%s", e.Value, e.Stack)
}

// Unwrap returns the value of the panic if that is an error, and nil otherwise.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
