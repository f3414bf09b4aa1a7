// Package pool runs the workers of a pipeline as processes of this machine.
//
// A runner such as prism has one worker for a pipeline. It sends that worker bundles of
// all available elements, and fails the pipeline if the worker dies. A Pool is such a
// worker for the runner, and a runner for any number of processes: it splits bundles
// into parts, lets one of the processes process each part, and repeats a part that
// failed or whose process died. The output of a part reaches the runner when the part
// is complete, so nothing is duplicated.
//
// The Pool is a service of Beam's external environment:
//
//	p, err := pool.Start(pool.Options{Processes: 2})
//	defer p.Close()
//	… --environment_type=EXTERNAL --environment_config=p.Endpoint()
//
// Pipelines with side inputs, state, timers or finalization of bundles fail in it.
package pool
