package pool

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"sync"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// Options configure a Pool.
type Options struct {
	// Processes is the number of processes, 1 or more.
	Processes int
	// Attempts is how often a part may fail, or its process die, before the pipeline
	// fails; 0 means 4. It is also the number of processes in a row that may end before
	// they connect, for each one requested.
	Attempts int
	// Copies is the number of processes that work on the same part at a time; the first
	// result counts. 0 means 1.
	Copies int
	// Command returns the command of a worker, without the flags of Beam that the
	// pool adds. nil is this program.
	Command func() *exec.Cmd
}

// A Pool is a service that starts workers for a runner.
type Pool struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	fnpb.UnimplementedBeamFnControlServer
	fnpb.UnimplementedBeamFnDataServer
	fnpb.UnimplementedBeamFnLoggingServer

	opts   Options
	listen net.Listener
	server *grpc.Server

	mu      sync.Mutex
	workers map[string]*worker // workers by the runner's id
	procs   map[string]*process
	n       int // number of processes started so far
}

// Start starts the service on a free port of this machine.
func Start(opts Options) (*Pool, error) {
	if opts.Processes < 1 || opts.Attempts < 0 || opts.Copies < 0 {
		return nil, fmt.Errorf("pool: %+v: must be at least one process", opts)
	}
	if opts.Attempts == 0 {
		opts.Attempts = 4
	}
	opts.Copies = max(opts.Copies, 1)
	if opts.Command == nil {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		opts.Command = func() *exec.Cmd { return exec.Command(self) }
	}
	listen, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return nil, err
	}
	p := &Pool{opts: opts, listen: listen, workers: map[string]*worker{}, procs: map[string]*process{},
		server: grpc.NewServer(grpc.MaxRecvMsgSize(math.MaxInt32))}
	fnpb.RegisterBeamFnExternalWorkerPoolServer(p.server, p)
	fnpb.RegisterBeamFnControlServer(p.server, p)
	fnpb.RegisterBeamFnDataServer(p.server, p)
	fnpb.RegisterBeamFnLoggingServer(p.server, p)
	go p.server.Serve(listen)
	return p, nil
}

// Endpoint returns the address of the service.
func (p *Pool) Endpoint() string { return p.listen.Addr().String() }

// Close ends all processes and the service.
func (p *Pool) Close() {
	p.mu.Lock()
	workers := p.workers
	p.workers = map[string]*worker{}
	p.mu.Unlock()
	for _, w := range workers {
		w.stop()
	}
	p.server.Stop()
}

// Processes returns the running processes.
func (p *Pool) Processes() (all []*os.Process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, q := range p.procs {
		all = append(all, q.cmd.Process)
	}
	return all
}

// Started returns the number of processes started so far.
func (p *Pool) Started() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

// StartWorker starts the processes of a worker.
func (p *Pool) StartWorker(_ context.Context, req *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	refuse := func(err error) (*fnpb.StartWorkerResponse, error) {
		return &fnpb.StartWorkerResponse{Error: err.Error()}, nil
	}
	id := req.GetWorkerId()
	if req.GetControlEndpoint().GetUrl() == "" {
		return refuse(errors.New("a worker without a control endpoint"))
	}
	p.mu.Lock()
	_, there := p.workers[id]
	p.mu.Unlock()
	if there {
		return refuse(fmt.Errorf("worker %q already exists", id))
	}
	w, err := newWorker(p, id, req.GetControlEndpoint().GetUrl())
	if err != nil {
		return refuse(err)
	}
	p.mu.Lock()
	p.workers[id] = w
	p.mu.Unlock()
	return &fnpb.StartWorkerResponse{}, nil
}

// StopWorker ends the processes of a worker.
func (p *Pool) StopWorker(_ context.Context, req *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	p.mu.Lock()
	w := p.workers[req.GetWorkerId()]
	delete(p.workers, req.GetWorkerId())
	p.mu.Unlock()
	if w != nil {
		w.stop()
	}
	return &fnpb.StopWorkerResponse{}, nil
}

// processOf returns the process that a call comes from.
func (p *Pool) processOf(ctx context.Context) (*process, error) {
	id, err := grpcx.ReadWorkerID(ctx)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.procs[id]
	if q == nil {
		return nil, status.Errorf(codes.NotFound, "no process %q", id)
	}
	return q, nil
}

// GetProcessBundleDescriptor returns the descriptor for the bundles of a stage.
func (p *Pool) GetProcessBundleDescriptor(ctx context.Context, req *fnpb.GetProcessBundleDescriptorRequest) (*fnpb.ProcessBundleDescriptor, error) {
	q, err := p.processOf(ctx)
	if err != nil {
		return nil, err
	}
	s, err := q.worker.stage(req.GetProcessBundleDescriptorId())
	if err != nil {
		return nil, err
	}
	return s.desc, nil
}

// Logging prints the warnings of a process.
func (p *Pool) Logging(stream fnpb.BeamFnLogging_LoggingServer) error {
	for {
		list, err := stream.Recv()
		if err != nil {
			return nil
		}
		for _, e := range list.GetLogEntries() {
			if e.GetSeverity() >= fnpb.LogEntry_Severity_WARN {
				fmt.Fprintln(os.Stderr, e.GetMessage())
			}
		}
	}
}

// dial connects to a runner.
func dial(endpoint string) (*grpc.ClientConn, error) {
	return grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32), grpc.MaxCallSendMsgSize(math.MaxInt32)))
}
