package driver

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/remote"
)

// A fault is an error in the form in which it is sent to the other program.
type fault struct {
	Text   string
	Kind   string              `json:",omitempty"` // a key of kinds
	Status *remote.StatusError `json:",omitempty"`
}

// kinds holds the errors that the other program distinguishes, except for
// StatusError.
var kinds = map[string]error{
	"changed":   blosc2.ErrChanged,
	"option":    blosc2.ErrOption,
	"no ranges": remote.ErrNoRanges,
	"exists":    fs.ErrExist,
	"not exist": fs.ErrNotExist,
	"denied":    fs.ErrPermission,
	"broken":    io.ErrUnexpectedEOF,
	"again":     errAgain,
}

// faultOf returns err as a fault.
func faultOf(err error) *fault {
	f := &fault{Text: err.Error()}
	if errors.As(err, &f.Status) {
		return f
	}
	for kind, is := range kinds {
		if errors.Is(err, is) {
			f.Kind = kind
			return f
		}
	}
	var op *net.OpError
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() || errors.As(err, &op) && op.Op != "dial" {
		f.Kind = "broken"
	}
	return f
}

// err returns the fault as an error.
func (f *fault) err() error {
	if f.Status != nil {
		return &farError{f.Text, f.Status}
	}
	return &farError{f.Text, kinds[f.Kind]}
}

// A farError is an error that the driver reported.
type farError struct {
	text string
	is   error // the error in kinds; nil if it is another one
}

func (e *farError) Error() string { return e.text }
func (e *farError) Unwrap() error { return e.is }

// faultType is the media type of a fault.
const faultType = "application/vnd.blosc2.fault+json"

func writeFault(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", faultType)
	w.WriteHeader(http.StatusInternalServerError)
	json.NewEncoder(w).Encode(faultOf(err))
}

// maxFault is the largest fault that is read, in bytes.
const maxFault = 64 << 10

// readFault returns the error in an answer, or nil.
func readFault(resp *http.Response) error {
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	var f fault
	if resp.Header.Get("Content-Type") == faultType {
		if err := json.NewDecoder(io.LimitReader(resp.Body, maxFault)).Decode(&f); err == nil {
			return f.err()
		}
	}
	return errVersion
}

var errVersion = errors.New("the driver has another version; install the same version of both programs")
