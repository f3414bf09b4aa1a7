package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/parts"
	"github.com/seed03b80dae/blosc2/remote"
)

// upload writes the output to a store, where it appears once it is complete.
func (j *compression) upload(e *env, in *input, name string) error {
	store, err := e.sinkOf(name)
	if err != nil {
		return withName(publicName(name), err)
	}
	j.memory = forUpload()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if !j.cmd.Force {
		if err := e.absent(name); err != nil {
			return withName(name, err)
		}
	}
	object, err := store.Put(name)
	if err != nil {
		return err
	}
	u, err := remote.NewUpload(ctx, object, remote.PartSize(partSize(object.Rules(), in.size)))
	if err != nil {
		return withName(name, err)
	}
	defer u.Abort(nil)
	bar := e.newBar(in.name, in.size)
	err = j.run(u, bar)
	bar.end()
	if err == nil {
		err = u.Close()
	} else {
		err = u.Abort(err)
	}
	if err != nil {
		return withName(name, err)
	}
	if !e.many || e.verbose {
		e.note("%s: %s to %s in %s, ratio %.2f", in.name, count(j.done.Bytes, "byte"), commas(u.Size()), name, j.done.Ratio())
	}
	return nil
}

// forUpload limits garbage during an upload, which uses most of its memory from
// beginning to end. It returns the limit for the bytes of chunks in flight: one chunk
// of 8 MiB, whose blocks the workers share. With three parts of 8 MiB, the command and
// its driver take 82 MiB, of which the programs themselves take 25.
func forUpload() int64 {
	garbage.set(10)
	return 16 << 20
}

const (
	smallPart = 8 << 20
	equalPart = 10 << 20 // if 10,000 parts of one size must suffice for data of unknown length
)

// partSize returns the size of the parts of an upload, in bytes, for an input of size
// bytes; size is 0 if it is not known.
func partSize(r parts.Rules, size int64) int64 {
	count := int64(r.Count) * 9 / 10 // 10 % are left, because a frame may be larger than its data
	if r.Grow {
		count = int64(r.Count) / 2 // half are left, because later parts are larger
	}
	switch {
	case count == 0:
		return smallPart
	case size > 0:
		return max(smallPart, size/count+1)
	case r.Grow:
		return smallPart
	}
	return equalPart
}

// sinkOf returns the store for the object of a URL.
func (e *env) sinkOf(name string) (*driver.Client, error) {
	if s := schemeOf(name); s == "http" || s == "https" {
		return nil, misusef("%s: cannot be written; must be the name of a file or of an object in a store, such as s3://BUCKET/KEY, gs://BUCKET/KEY or az://CONTAINER/KEY", publicName(name))
	}
	return e.storeOf(name)
}

// uploadsCmd is "blosc2 uploads".
type uploadsCmd struct {
	Remove bool
	URLs   []string
}

func (c *uploadsCmd) define(g *grammar) {
	g.BoolVar(&c.Remove, "remove", false, "Remove the uploads. Uploads still in progress will fail.")
	g.rest(&c.URLs, "URL", "Store to list: s3://BUCKET, gs://BUCKET or az://CONTAINER, with /PREFIX for a part of it.")
}

// Run lists the uploads below each URL.
func (c *uploadsCmd) Run(e *env) error {
	return e.each(c.URLs, func(url string) error {
		if s := schemeOf(url); s == "" || s == "http" || s == "https" {
			return misusef("%s: must be a store: s3://BUCKET, gs://BUCKET or az://CONTAINER", publicName(url))
		}
		store, err := e.storeOf(url)
		if err != nil {
			return err
		}
		for u, err := range store.Unfinished(context.Background(), url) {
			if err == nil && c.Remove {
				err = store.Remove(context.Background(), u)
			}
			if err == nil {
				err = e.print(fmt.Sprintf("%s  %s  %s\n", u.Begun.UTC().Format(time.RFC3339), u.URL, u.ID))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
