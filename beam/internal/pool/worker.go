package pool

import (
	"context"
	"fmt"
	"sync"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
)

// A worker appears to the runner as one worker, and distributes its bundles among
// processes.
type worker struct {
	pool   *Pool
	id     string
	conn   *grpc.ClientConn
	client fnpb.BeamFnControlClient
	ctx    context.Context
	cancel context.CancelFunc

	answers *outbox[*fnpb.InstructionResponse]
	outputs *outbox[*fnpb.Elements]
	stages  sync.Map // values are *stage

	mu        sync.Mutex
	bundles   map[string]*bundle
	queue     []*part
	procs     map[*process]bool
	runs      int // number of runs so far
	stillborn int // number of processes in succession that ended before they connected
	stopped   bool
}

// newWorker connects to the runner and starts the processes.
func newWorker(p *Pool, id, endpoint string) (_ *worker, err error) {
	w := &worker{pool: p, id: id, bundles: map[string]*bundle{}, procs: map[*process]bool{},
		answers: newOutbox[*fnpb.InstructionResponse](), outputs: newOutbox[*fnpb.Elements]()}
	w.ctx, w.cancel = context.WithCancel(grpcx.WriteWorkerID(context.Background(), id))
	defer func() {
		if err != nil {
			w.stop()
		}
	}()
	if w.conn, err = dial(endpoint); err != nil {
		return nil, err
	}
	w.client = fnpb.NewBeamFnControlClient(w.conn)
	control, err := w.client.Control(w.ctx)
	if err != nil {
		return nil, err
	}
	data, err := fnpb.NewBeamFnDataClient(w.conn).Data(w.ctx)
	if err != nil {
		return nil, err
	}
	for range p.opts.Processes {
		q, err := p.startProcess(w)
		if err != nil {
			return nil, err
		}
		w.mu.Lock()
		w.procs[q] = true
		w.mu.Unlock()
	}
	go w.answers.each(control.Send)
	go w.outputs.each(data.Send)
	go func() {
		defer w.stop()
		for {
			req, err := control.Recv()
			if err != nil {
				return
			}
			w.ordered(req)
		}
	}()
	go func() {
		for {
			e, err := data.Recv()
			if err != nil {
				return
			}
			w.fed(e)
		}
	}()
	return w, nil
}

// stop ends the processes, and leaves the runner.
func (w *worker) stop() {
	w.mu.Lock()
	w.stopped = true
	procs := w.procs
	w.procs = map[*process]bool{}
	w.mu.Unlock()
	for q := range procs {
		q.cmd.Process.Kill()
	}
	for q := range procs {
		<-q.ended
	}
	w.answers.close()
	w.outputs.close()
	w.cancel()
	if w.conn != nil {
		w.conn.Close()
	}
}

// stage returns a stage described by the runner.
func (w *worker) stage(id string) (*stage, error) {
	if s, ok := w.stages.Load(id); ok {
		return s.(*stage), nil
	}
	desc, err := w.client.GetProcessBundleDescriptor(w.ctx, &fnpb.GetProcessBundleDescriptorRequest{ProcessBundleDescriptorId: id})
	if err != nil {
		return nil, err
	}
	s, err := newStage(desc, w.pool.Endpoint())
	if err != nil {
		return nil, err
	}
	w.stages.Store(id, s)
	return s, nil
}

// ordered handles an instruction of the runner.
func (w *worker) ordered(req *fnpb.InstructionRequest) {
	id := req.GetInstructionId()
	resp := &fnpb.InstructionResponse{InstructionId: id}
	switch r := req.GetRequest().(type) {
	case *fnpb.InstructionRequest_ProcessBundle:
		s, err := w.stage(r.ProcessBundle.GetProcessBundleDescriptorId())
		if err == nil {
			w.mu.Lock()
			b := w.bundle(id)
			b.stage = s
			w.begin(b)
			w.mu.Unlock()
			return
		}
		resp.Error = err.Error()
	case *fnpb.InstructionRequest_ProcessBundleProgress: // progress is not reported
		resp.Response = &fnpb.InstructionResponse_ProcessBundleProgress{ProcessBundleProgress: &fnpb.ProcessBundleProgressResponse{}}
	case *fnpb.InstructionRequest_ProcessBundleSplit: // the bundle has already been split into parts
		resp.Response = &fnpb.InstructionResponse_ProcessBundleSplit{ProcessBundleSplit: &fnpb.ProcessBundleSplitResponse{}}
	case *fnpb.InstructionRequest_MonitoringInfos:
		resp.Response = &fnpb.InstructionResponse_MonitoringInfos{MonitoringInfos: &fnpb.MonitoringInfosMetadataResponse{}}
	default:
		resp.Error = fmt.Sprintf("pool: %T is not supported", r)
	}
	w.answers.put(resp)
}

// fed handles elements from the runner.
func (w *worker) fed(e *fnpb.Elements) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range e.GetData() {
		b := w.bundle(d.GetInstructionId())
		b.input = append(b.input, d.GetData())
		if d.GetIsLast() {
			b.fed = true
			w.begin(b)
		}
	}
}

// connected records that a process can receive instructions.
func (w *worker) connected(q *process) {
	w.mu.Lock()
	defer w.mu.Unlock()
	q.connected, w.stillborn = true, 0
	w.schedule()
}

// answered handles the answer of a process.
func (w *worker) answered(q *process, resp *fnpb.InstructionResponse) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := q.run
	if r == nil || resp.GetInstructionId() != r.id {
		return
	}
	if resp.GetError() != "" {
		q.run = nil
		w.failed(r, resp.GetError())
		w.schedule()
		return
	}
	r.resp = resp.GetProcessBundle()
	w.finish(q)
}

// made handles the output of a process.
func (w *worker) made(q *process, e *fnpb.Elements) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := q.run
	for _, d := range e.GetData() {
		if r == nil || d.GetInstructionId() != r.id {
			continue
		}
		if len(d.GetData()) > 0 {
			r.output = append(r.output, &fnpb.Elements_Data{InstructionId: r.part.bundle.id, TransformId: d.GetTransformId(), Data: d.GetData()})
		}
		if d.GetIsLast() {
			r.lasts++
		}
	}
	if r != nil {
		w.finish(q)
	}
}

// ended handles the end of a process, and starts another one.
func (w *worker) ended(q *process, err error) {
	w.mu.Lock()
	if w.stopped {
		w.mu.Unlock()
		return
	}
	delete(w.procs, q)
	if r := q.run; r != nil {
		q.run = nil
		w.failed(r, fmt.Sprintf("process %s: %v", q.id, err))
	}
	if !q.connected {
		w.stillborn++
	}
	most := w.pool.opts.Attempts * w.pool.opts.Processes
	again := w.stillborn < most
	w.mu.Unlock()
	if !again {
		w.failAll(fmt.Sprintf("pool: %d processes ended before they connected, the last one with %v", most, err))
		return
	}
	p, err := w.pool.startProcess(w)
	if err != nil {
		w.failAll(fmt.Sprintf("pool: %v", err))
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		p.cmd.Process.Kill()
		return
	}
	w.procs[p] = true
	w.schedule() // the new process may have connected already
}

// failAll fails all bundles.
func (w *worker) failAll(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue = nil
	for _, b := range w.bundles {
		w.end(b, &fnpb.InstructionResponse{InstructionId: b.id, Error: text})
	}
}

// schedule assigns work to idle processes. mu must be held.
func (w *worker) schedule() {
	for q := range w.procs {
		if !q.connected || q.run != nil {
			continue
		}
		for i := 0; i < len(w.queue); i++ {
			p := w.queue[i]
			if p.done || p.bundle.ended {
				w.queue = append(w.queue[:i], w.queue[i+1:]...)
				i--
				continue
			}
			w.queue = append(w.queue[:i], w.queue[i+1:]...)
			w.start(p, q)
			break
		}
	}
}
