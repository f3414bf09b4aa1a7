package pool

import (
	"encoding/binary"
	"errors"
	"fmt"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/protobuf/proto"
)

// These are the URNs of the transforms that read a stage's input and write its
// output.
const (
	urnSource = "beam:runner:source:v1"
	urnSink   = "beam:runner:sink:v1"
)

// A stage is the processing of the elements of a bundle.
type stage struct {
	desc   *fnpb.ProcessBundleDescriptor // descriptor with the pool's endpoint
	source string                        // id of the transform that reads the input
	sinks  []string                      // ids of the transforms that write an output
	coder  string                        // id of the input's coder
}

// newStage returns the stage with the endpoints of the runner replaced.
func newStage(desc *fnpb.ProcessBundleDescriptor, endpoint string) (*stage, error) {
	s := &stage{desc: proto.Clone(desc).(*fnpb.ProcessBundleDescriptor)}
	here := &pipepb.ApiServiceDescriptor{Url: endpoint}
	if s.desc.StateApiServiceDescriptor != nil {
		s.desc.StateApiServiceDescriptor = here // the pool has no state service
	}
	if s.desc.TimerApiServiceDescriptor != nil {
		s.desc.TimerApiServiceDescriptor = here
	}
	for id, t := range s.desc.GetTransforms() {
		urn := t.GetSpec().GetUrn()
		if urn != urnSource && urn != urnSink {
			continue
		}
		var port fnpb.RemoteGrpcPort
		if err := proto.Unmarshal(t.GetSpec().GetPayload(), &port); err != nil {
			return nil, fmt.Errorf("pool: stage %s: %w", desc.GetId(), err)
		}
		if urn == urnSink {
			s.sinks = append(s.sinks, id)
		} else if s.source == "" {
			s.source, s.coder = id, port.GetCoderId()
		} else {
			return nil, fmt.Errorf("pool: stage %s: must have one input", desc.GetId())
		}
		port.ApiServiceDescriptor = here
		payload, err := proto.Marshal(&port)
		if err != nil {
			return nil, err
		}
		t.Spec.Payload = payload
	}
	return s, nil
}

// cut splits elements into at most the given number of parts of one element or
// more. Elements whose ends it cannot find are one part.
func (s *stage) cut(elements []byte, parts int) [][]byte {
	var ends []int
	for at := 0; at < len(elements); {
		rest, err := s.skip(elements[at:], s.coder)
		if err != nil || len(rest) == len(elements)-at {
			return [][]byte{elements}
		}
		at = len(elements) - len(rest)
		ends = append(ends, at)
	}
	if len(ends) < 2 {
		return [][]byte{elements}
	}
	parts = min(parts, len(ends))
	all, from := make([][]byte, parts), 0
	for i := range all {
		to := ends[len(ends)*(i+1)/parts-1]
		all[i], from = elements[from:to:to], to
	}
	return all
}

var errCut = errors.New("pool: elements that cannot be split")

// skip returns the bytes after an element of a coder, in the nested form.
func (s *stage) skip(b []byte, id string) ([]byte, error) {
	c := s.desc.GetCoders()[id]
	parts := c.GetComponentCoderIds()
	switch c.GetSpec().GetUrn() {
	case "beam:coder:windowed_value:v1":
		if len(parts) != 2 {
			return nil, errCut
		}
		b, err := skipBytes(b, 8) // the timestamp
		if err == nil {
			b, err = s.skipList(b, parts[1])
		}
		if err == nil {
			b, err = skipPane(b)
		}
		if err != nil {
			return nil, err
		}
		return s.skip(b, parts[0])
	case "beam:coder:kv:v1":
		for _, part := range parts {
			var err error
			if b, err = s.skip(b, part); err != nil {
				return nil, err
			}
		}
		return b, nil
	case "beam:coder:iterable:v1", "beam:coder:state_backed_iterable:v1":
		if len(parts) != 1 {
			return nil, errCut
		}
		return s.skipList(b, parts[0])
	case "beam:coder:length_prefix:v1", "beam:coder:bytes:v1", "beam:coder:string_utf8:v1":
		n, k := binary.Uvarint(b)
		if k <= 0 || n > uint64(len(b)) {
			return nil, errCut
		}
		return skipBytes(b[k:], int(n))
	case "beam:coder:varint:v1":
		_, k := binary.Uvarint(b)
		if k <= 0 {
			return nil, errCut
		}
		return b[k:], nil
	case "beam:coder:double:v1":
		return skipBytes(b, 8)
	case "beam:coder:bool:v1":
		return skipBytes(b, 1)
	case "beam:coder:global_window:v1":
		return b, nil
	case "beam:coder:interval_window:v1":
		b, err := skipBytes(b, 8)
		if err != nil {
			return nil, err
		}
		_, k := binary.Uvarint(b)
		if k <= 0 {
			return nil, errCut
		}
		return b[k:], nil
	}
	return nil, errCut
}

// skipList skips a list, which begins with its length in 4 bytes. If that is -1 the
// list is in pieces, each preceded by its number of elements; 0 ends the list.
func (s *stage) skipList(b []byte, coder string) ([]byte, error) {
	if len(b) < 4 {
		return nil, errCut
	}
	n := int64(int32(binary.BigEndian.Uint32(b)))
	b = b[4:]
	if n >= 0 {
		return s.skipAll(b, coder, uint64(n))
	}
	if n != -1 {
		return nil, errCut
	}
	for {
		n, k := binary.Uvarint(b)
		if k <= 0 {
			return nil, errCut
		}
		b = b[k:]
		if n == 0 {
			return b, nil
		}
		var err error
		if b, err = s.skipAll(b, coder, n); err != nil {
			return nil, err
		}
	}
}

// skipAll skips n elements.
func (s *stage) skipAll(b []byte, coder string, n uint64) (_ []byte, err error) {
	for ; n > 0; n-- {
		if b, err = s.skip(b, coder); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// skipPane skips the pane of an element: a byte whose upper half is the number of
// varints after it.
func skipPane(b []byte) ([]byte, error) {
	if len(b) == 0 || b[0]>>4 > 2 {
		return nil, errCut
	}
	n := b[0] >> 4
	for b = b[1:]; n > 0; n-- {
		_, k := binary.Uvarint(b)
		if k <= 0 {
			return nil, errCut
		}
		b = b[k:]
	}
	return b, nil
}

func skipBytes(b []byte, n int) ([]byte, error) {
	if len(b) < n {
		return nil, errCut
	}
	return b[n:], nil
}
