package pool

import (
	"bytes"
	"fmt"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
)

// A bundle is a set of elements that the runner wants processed. worker.mu guards it,
// its parts and runs.
type bundle struct {
	id    string
	stage *stage   // nil until the runner has named it
	input [][]byte // elements of the bundle, until they are split
	fed   bool     // whether all elements have arrived
	left  int      // number of parts that are not done
	ended bool
	resp  *fnpb.ProcessBundleResponse
}

// A part is some elements of a bundle.
type part struct {
	bundle   *bundle
	input    []byte
	failures int
	done     bool
}

// A run is one attempt at a part by a process.
type run struct {
	id     string
	part   *part
	output []*fnpb.Elements_Data
	lasts  int                         // number of outputs that have ended
	resp   *fnpb.ProcessBundleResponse // nil until the process has replied
}

// bundle returns the bundle of an instruction, and creates it if necessary. mu must be
// held.
func (w *worker) bundle(id string) *bundle {
	b := w.bundles[id]
	if b == nil {
		b = &bundle{id: id, resp: &fnpb.ProcessBundleResponse{}}
		w.bundles[id] = b
	}
	return b
}

// partsPerProcess limits the number of parts of a bundle, for each process. It is so
// large that the processes finish at about the same time.
const partsPerProcess = 16

// begin splits a complete bundle and schedules its parts. mu must be held.
func (w *worker) begin(b *bundle) {
	if b.stage == nil || !b.fed {
		return
	}
	inputs := b.stage.cut(bytes.Join(b.input, nil), partsPerProcess*w.pool.opts.Processes)
	b.input, b.left = nil, len(inputs)
	for _, in := range inputs {
		p := &part{bundle: b, input: in}
		for range w.pool.opts.Copies {
			w.queue = append(w.queue, p)
		}
	}
	w.schedule()
}

// start assigns a part to a process. mu must be held.
func (w *worker) start(p *part, q *process) {
	w.runs++
	s := p.bundle.stage
	q.run = &run{id: fmt.Sprintf("%s.%d", p.bundle.id, w.runs), part: p}
	q.orders.put(&fnpb.InstructionRequest{InstructionId: q.run.id, Request: &fnpb.InstructionRequest_ProcessBundle{
		ProcessBundle: &fnpb.ProcessBundleRequest{ProcessBundleDescriptorId: s.desc.GetId()}}})
	q.data.put(
		&fnpb.Elements{Data: []*fnpb.Elements_Data{{InstructionId: q.run.id, TransformId: s.source, Data: p.input}}},
		&fnpb.Elements{Data: []*fnpb.Elements_Data{{InstructionId: q.run.id, TransformId: s.source, IsLast: true}}})
}

// finish ends the run of a process if all of its output has arrived. mu must be held.
func (w *worker) finish(q *process) {
	r := q.run
	p, b := r.part, r.part.bundle
	if r.resp == nil || r.lasts < len(b.stage.sinks) {
		return
	}
	q.run = nil
	defer w.schedule()
	if p.done || b.ended {
		return // another process has already done the part
	}
	if r.resp.GetRequiresFinalization() {
		w.end(b, &fnpb.InstructionResponse{InstructionId: b.id, Error: "pool: finalization of bundles is not supported"})
		return
	}
	p.done, p.input = true, nil
	for _, d := range r.output {
		w.outputs.put(&fnpb.Elements{Data: []*fnpb.Elements_Data{d}})
	}
	b.resp.ResidualRoots = append(b.resp.ResidualRoots, r.resp.GetResidualRoots()...)
	if b.left--; b.left > 0 {
		return
	}
	for _, sink := range b.stage.sinks {
		w.outputs.put(&fnpb.Elements{Data: []*fnpb.Elements_Data{{InstructionId: b.id, TransformId: sink, IsLast: true}}})
	}
	w.end(b, &fnpb.InstructionResponse{InstructionId: b.id, Response: &fnpb.InstructionResponse_ProcessBundle{ProcessBundle: b.resp}})
}

// failed schedules the part of a run again, or fails its bundle. mu must be held.
func (w *worker) failed(r *run, text string) {
	p, b := r.part, r.part.bundle
	if p.done || b.ended {
		return
	}
	if p.failures++; p.failures < w.pool.opts.Attempts {
		w.queue = append([]*part{p}, w.queue...)
		return
	}
	w.end(b, &fnpb.InstructionResponse{InstructionId: b.id, Error: fmt.Sprintf("failed %d times, the last time with: %s", p.failures, text)})
}

// end sends the result of the bundle to the runner. mu must be held.
func (w *worker) end(b *bundle, resp *fnpb.InstructionResponse) {
	b.ended = true
	delete(w.bundles, b.id)
	w.answers.put(resp)
}
