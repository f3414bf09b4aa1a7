package rechunk

import (
	"errors"
	"path/filepath"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// WriteFile rechunks src, for which the plan was made, into a file. The file
// appears under its name once it is complete and synced. A temporary array, if
// any, is in the same folder, and is removed. The options are those of
// b2nd.NewWriter; stream.Progress reports on the temporary array first, with bytes
// that begin at 0 again for the second.
func (p *Plan) WriteFile(out string, src *b2nd.Array, opts ...stream.WriterOption) (err error) {
	var always []stream.Option // options that do not change the bytes of an array
	for _, o := range opts {
		if o, ok := o.(stream.Option); ok {
			always = append(always, o)
		}
	}
	for i, s := range p.Stages {
		if i == len(p.Stages)-1 {
			return p.run(out, src, s.Spec, opts, always)
		}
		name := filepath.Join(filepath.Dir(out), "."+filepath.Base(out)+".stage.tmp")
		remove := fsio.KeepUntil(name)
		defer func() { err = errors.Join(err, remove()) }()
		if err := p.run(name, src, s.Spec, nil, always); err != nil {
			return err
		}
		mid, err := b2nd.OpenFile(name)
		if err != nil {
			return err
		}
		defer mid.Close()
		src = mid
	}
	return nil
}

func (p *Plan) run(out string, src *b2nd.Array, spec b2nd.Spec, opts []stream.WriterOption, always []stream.Option) error {
	plan, err := shard.NewArrayPlan(spec, 1, opts...)
	if err != nil {
		return err
	}
	fill, err := p.Fill(plan, src)
	if err != nil {
		return err
	}
	return shard.WriteFile(out, plan, fill, always...)
}
