package stream

import (
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/internal/room"
	"github.com/seed03b80dae/blosc2/internal/workpool"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/tune"
)

// A task is a chunk being encoded.
type task struct {
	buf     []byte        // the task's own memory for src, allocated when first needed
	src     []byte        // the bytes to compress: the beginning of buf, or memory of Write's caller
	out     []byte        // the task's own memory for data
	into    []byte        // memory of the sink for data; nil if it has none
	data    []byte        // the chunk, with its record: in into, otherwise in out
	chunk   int           // length of the chunk in data
	first   bool          // the task is the first of its stream, and may be the only one
	helpers *chunkHelpers // recruits helpers for the worker of the task

	params chunk.Params // parameters of this chunk, if chosen from the data
}

type job = workpool.Job[task]

// room returns the task's memory for size bytes.
func (t *task) room(size int) []byte {
	t.buf = room.Resize(t.buf, size)
	return t.buf
}

// An encoder compresses tasks in order, with one worker in the calling
// goroutine, otherwise in a pool that starts when the first task is requested.
// It is used by one goroutine.
type encoder struct {
	cfg     *writerConfig
	chunks  []*chunk.Encoder // one encoder for each worker
	search  chunk.Encoder    // for searches while the workers compress
	checked []chunk.Verifier // one for each worker, for SelfCheck
	helpers []chunkHelpers   // one for each worker
	help    func(worker int, t *task)
	pool    *workpool.Pool[task]
	single  *job   // the only job if there is one worker
	direct  *job   // a submitted job that next has not returned yet
	spare   []*job // unused jobs; the last one is used first, because its memory is likely in the cache
	running bool
	used    bool // an earlier run has used the memory
	retuned bool // chunks have the parameters of their tasks, not those of NewWriter
	checks  bool
	pending int // tasks submitted and not yet returned
	begun   int // number of tasks submitted in this stream
}

// reset prepares for a new stream. Buffers stay.
func (e *encoder) reset(cfg *writerConfig) {
	e.stop()
	e.used = e.used || e.begun > 0
	e.cfg, e.begun = cfg, 0
	if len(e.chunks) > 0 && (e.retuned && cfg.aim == 0 || e.chunks[0].Params().TypeSize != cfg.chunk.TypeSize) {
		e.chunks, e.retuned = nil, false
	}
}

// begin starts a run, unless one is in progress.
func (e *encoder) begin() error {
	if e.running {
		return nil
	}
	return e.start()
}

// start allocates whatever is missing.
func (e *encoder) start() error {
	n, jobs := e.cfg.parallelism(e.cfg.threads[0], int64(e.cfg.chunkSize))
	for len(e.chunks) < n && !(e.cfg.lent && n == 1) {
		c, err := chunk.NewEncoder(e.cfg.chunk)
		if err != nil {
			return err
		}
		e.chunks = append(e.chunks, c)
	}
	if e.cfg.selfCheck && len(e.checked) < n {
		e.checked = make([]chunk.Verifier, n)
	}
	e.checks = e.cfg.checks && len(e.cfg.layers) < meta.MaxLayers
	e.running, e.pending, e.begun = true, 0, 0
	e.retuned = e.retuned || e.cfg.aim != 0
	if n == 1 {
		e.pool = nil
		if e.single == nil {
			e.single = new(job)
		}
		return nil
	}
	if e.pool == nil || e.pool.Workers() != n || e.pool.Jobs() != jobs {
		e.pool, e.helpers = workpool.New(n, jobs, e.encode), make([]chunkHelpers, n)
		for i := range e.helpers {
			e.helpers[i].init(e, i)
		}
		e.help = func(worker int, t *task) {
			if e.tune(worker, t) == nil {
				e.chunks[worker].Help(e.chunks[t.helpers.worker])
			}
		}
	}
	e.spare = e.spare[:0]
	e.pool.Start(e.cfg.ctx, nil)
	return nil
}

// dismiss ends the workers of a run in which only the empty task j was taken, so that the
// calling goroutine compresses the tasks, one after another. For a short run with new memory
// this is faster: each worker has to touch its own, which takes longer than it saves. If the
// memory was used before, dismiss does nothing.
func (e *encoder) dismiss(j *job) {
	if e.used || e.inline() {
		return
	}
	e.pool.Close()
	e.pool, e.single = nil, j
}

// stop ends the workers.
func (e *encoder) stop() {
	if e.running && e.pool != nil {
		e.pool.Close()
	}
	e.running, e.pending, e.direct = false, 0, nil
}

// inline reports whether submit compresses the task itself.
func (e *encoder) inline() bool { return e.pool == nil }

// lag returns how many later tasks can be submitted while a task is still in flight.
func (e *encoder) lag() int {
	if e.inline() {
		return 0
	}
	return e.pool.Jobs()
}

// full reports whether next must be called before a task is free, or would not
// block.
func (e *encoder) full() bool {
	return !e.inline() && e.pending > 0 && (e.direct != nil || e.pending >= e.limit() || e.pool.Ready())
}

// limit returns how many tasks may be in flight: one for each worker at first, and
// later spare ones that keep the workers busy. For a few chunks these gain less
// time than the first use of their memory takes.
func (e *encoder) limit() int {
	return min(e.pool.Jobs(), e.pool.Workers()+e.begun/growEvery)
}

// growEvery is the number of tasks after which the limit grows by one. 1 and 8 are
// within 5 % in BenchmarkShortStream; it bounds the memory of short streams.
const growEvery = 2

// free returns an empty task.
func (e *encoder) free() (*job, error) {
	if e.inline() {
		return e.single, nil
	}
	if n := len(e.spare); n > 0 {
		j := e.spare[n-1]
		e.spare = e.spare[:n-1]
		return j, nil
	}
	return e.pool.Acquire()
}

// submit submits a task. A single short chunk is the last one before a Flush or
// Close, which waits for it: the calling goroutine compresses it sooner than
// another one could start.
func (e *encoder) submit(j *job) {
	j.Value.first = e.begun == 0
	e.pending++
	e.begun++
	switch {
	case e.inline():
	case e.pending == 1 && len(j.Value.src) < min(e.cfg.chunkSize, shareMin):
		e.direct = j
	default:
		e.pool.Submit(j)
	}
}

// next waits for the earliest task that was submitted.
func (e *encoder) next() (*job, error) {
	e.pending--
	if e.inline() {
		return e.single, e.encode(0, &e.single.Value)
	}
	if j := e.direct; j != nil {
		e.direct = nil
		return j, e.encode(e.pool.Workers()-1, &j.Value)
	}
	return e.pool.Next()
}

// release ends the use of a task.
func (e *encoder) release(j *job) {
	j.Value.src = nil // src and into may be memory of the caller
	j.Value.into, j.Value.data = nil, nil
	if !e.inline() {
		e.spare = append(e.spare, j)
	}
}

// each makes the workers run the calls of a search, with their Encoders. If they have
// chunks to compress, the caller runs them, with a separate Encoder. In the first stream the
// caller runs the short calls of all aims but Archive, because the first use of the memory of
// another worker takes longer than it saves. Later streams, of 0.3 to 8 MB, take 0.87 of the
// time with two workers in the mean of 113 files.
func (e *encoder) each(n int, call func(i int, enc *chunk.Encoder)) {
	if e.pending > 0 || len(e.chunks) == 0 {
		for i := range n {
			call(i, &e.search)
		}
		return
	}
	workers := len(e.chunks)
	if !e.used && e.cfg.aim != tune.Archive {
		workers = 1
	}
	workpool.Each(workers, n, func(worker, i int) { call(i, e.chunks[worker]) })
}

// encode compresses one task.
func (e *encoder) encode(worker int, t *task) error {
	if e.cfg.lent {
		if err := e.encodeLent(worker, t); err != nil {
			return err
		}
		return e.finish(worker, t)
	}
	dst := t.into
	if dst == nil {
		dst = e.room(t)
	}
	if err := e.compress(worker, t, dst); err != nil {
		return err
	}
	return e.finish(worker, t)
}

// room returns the task's own memory for its chunk and record.
func (e *encoder) room(t *task) []byte {
	size := len(t.src)
	if cap(t.out) < roomFor(size) {
		if !t.first { // a short last chunk gets a whole chunk's memory, for the next stream
			size = max(size, e.cfg.chunkSize)
		}
		t.out = make([]byte, 0, roomFor(size))
	}
	return t.out[:0]
}

// roomFor returns the length of memory for the chunk of n bytes of data, and its record.
func roomFor(n int) int { return chunk.Bound(n) + framing.RecordLen }

// params returns the parameters of a task's chunk.
func (e *encoder) params(t *task) *chunk.Params {
	if e.cfg.aim == 0 {
		return &e.cfg.chunk
	}
	return &t.params
}

// tune sets a worker's parameters to those of a task.
func (e *encoder) tune(worker int, t *task) error {
	if e.cfg.aim == 0 {
		return nil
	}
	return e.chunks[worker].Reset(t.params)
}

// finish checks the chunk if SelfCheck is set, and adds the record.
func (e *encoder) finish(worker int, t *task) error {
	if e.cfg.selfCheck {
		if err := e.checked[worker].Verify(t.data, t.src, e.params(t)); err != nil {
			return err
		}
	}
	t.chunk = len(t.data)
	if e.checks {
		t.data = framing.AppendChunkRecord(t.data, t.data)
	}
	if t.into == nil {
		t.out = t.data
	}
	return nil
}
