package frame

import (
	"context"
	"iter"

	"github.com/seed03b80dae/blosc2/internal/framing"
)

func init() {
	framing.NewLog = func(b *Builder, file framing.LogFile, base int64) framing.Log { return newLog(b, file, base) }
	framing.AppendLog = func(file File, size int64, rows bool, opts ...Option) (framing.Log, *Builder, *Reader, error) {
		l, f, err := appendLog(file, size, append(opts[:len(opts):len(opts)], func(c *config) { c.rows = rows })...)
		if err != nil {
			return nil, nil, nil, err
		}
		return l, l.b, f, nil
	}
	framing.ReadAhead = func(ctx context.Context, reader any, wants iter.Seq[framing.Want]) framing.Lookahead {
		return reader.(*Reader).lookahead(ctx, wants, waveBytes/4)
	}
	framing.ReadChunksAhead = func(ctx context.Context, reader any, n int64) framing.Lookahead {
		return reader.(*Reader).inOrder(ctx, n)
	}
	framing.HoldChunk = func(reader any, n int64) (framing.HeldChunk, error) { return reader.(*Reader).holdChunk(n) }
	framing.FirstChunk = func(reader any) { reader.(*Reader).atOnce.Store(true) }
	framing.HeaderChanged = func(reader any) bool { return reader.(*Reader).headerChanged() }
	framing.InMemory = func(reader any, b []byte) { reader.(*Reader).memory = b }
	framing.LendTo = func(walker any, f func(n int) []byte) { walker.(*Walker).buffer = f }
}
