package pool

import (
	"fmt"
	"os"
	"os/exec"
	"sync"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
)

// A process does the work of a worker.
type process struct {
	worker *worker
	id     string
	cmd    *exec.Cmd
	ended  chan struct{} // closed when the process has ended

	orders *outbox[*fnpb.InstructionRequest]
	data   *outbox[*fnpb.Elements]

	// worker.mu guards the following fields.
	connected bool
	run       *run // current work of the process; nil if idle
}

// memoryLimit is the GOMEMLIMIT of a process.
const memoryLimit = "GOMEMLIMIT=144MiB"

// startProcess starts a process, and notifies the worker when it ends.
func (p *Pool) startProcess(w *worker) (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	q := &process{worker: w, id: fmt.Sprintf("%s-%d", w.id, p.n), cmd: p.opts.Command(), ended: make(chan struct{}),
		orders: newOutbox[*fnpb.InstructionRequest](), data: newOutbox[*fnpb.Elements]()}
	q.cmd.Args = append(q.cmd.Args, "--worker", "--id="+q.id, "--logging_endpoint="+p.Endpoint(), "--control_endpoint="+p.Endpoint())
	if os.Getenv("GOMEMLIMIT") == "" {
		q.cmd.Env = append(q.cmd.Environ(), memoryLimit)
	}
	if q.cmd.Stdout == nil {
		q.cmd.Stdout, q.cmd.Stderr = os.Stdout, os.Stderr
	}
	if err := q.cmd.Start(); err != nil {
		return nil, err
	}
	p.procs[q.id] = q
	go func() {
		err := q.cmd.Wait()
		p.forget(q)
		q.orders.close()
		q.data.close()
		close(q.ended)
		w.ended(q, err)
	}()
	return q, nil
}

func (p *Pool) forget(q *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.procs, q.id)
}

// Control sends instructions to a process and receives its answers.
func (p *Pool) Control(stream fnpb.BeamFnControl_ControlServer) error {
	q, err := p.processOf(stream.Context())
	if err != nil {
		return err
	}
	defer q.cmd.Process.Kill() // the process can no longer be reached
	go func() {
		for {
			resp, err := stream.Recv()
			if err != nil {
				q.orders.close()
				return
			}
			q.worker.answered(q, resp)
		}
	}()
	q.worker.connected(q)
	return q.orders.each(stream.Send)
}

// Data sends elements to a process and receives its output.
func (p *Pool) Data(stream fnpb.BeamFnData_DataServer) error {
	q, err := p.processOf(stream.Context())
	if err != nil {
		return err
	}
	go func() {
		for {
			e, err := stream.Recv()
			if err != nil {
				return
			}
			q.worker.made(q, e)
		}
	}()
	return q.data.each(stream.Send)
}

// An outbox is a queue of messages to send on a stream. Adding to it does not
// block.
type outbox[T any] struct {
	mu     sync.Mutex
	change *sync.Cond
	items  []T
	closed bool
}

func newOutbox[T any]() *outbox[T] {
	o := new(outbox[T])
	o.change = sync.NewCond(&o.mu)
	return o
}

func (o *outbox[T]) put(items ...T) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.items = append(o.items, items...)
	o.change.Broadcast()
}

func (o *outbox[T]) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.change.Broadcast()
}

// each calls send with the items until one fails or the outbox is closed.
func (o *outbox[T]) each(send func(T) error) error {
	for {
		o.mu.Lock()
		for len(o.items) == 0 && !o.closed {
			o.change.Wait()
		}
		items, closed := o.items, o.closed
		o.items = nil
		o.mu.Unlock()
		if closed {
			return nil
		}
		for _, item := range items {
			if err := send(item); err != nil {
				return err
			}
		}
	}
}
