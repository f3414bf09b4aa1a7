package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/remote"
)

// upload writes the output to a store, where it appears once it is complete.
func (j *compression) upload(e *env, in *input, name string) error {
	store, err := e.sinkOf(name)
	if err != nil {
		return about(publicName(name), err)
	}
	// Three parts take most of the memory and stay allocated; garbage should not
	// double it.
	debug.SetGCPercent(25)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if !j.cmd.Force {
		if err := e.absent(name); err != nil {
			return about(name, err)
		}
	}
	parts, err := store.Put(name)
	if err != nil {
		return err
	}
	u, err := remote.NewUpload(ctx, parts, remote.Expect(in.size))
	if err != nil {
		return about(name, err)
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
		return about(name, err)
	}
	if !e.many || e.verbose {
		e.note("%s: %s bytes to %s in %s, ratio %.2f", in.name, commas(j.done.Bytes), commas(u.Size()), name, j.done.Ratio())
	}
	return nil
}

// sinkOf returns the store that an object is to be written into.
func (e *env) sinkOf(name string) (*driver.Client, error) {
	if s := schemeOf(name); s == "http" || s == "https" {
		return nil, misusef("%s: cannot be written; must be the name of a file or of an object in a store, as s3://BUCKET/KEY", publicName(name))
	}
	return e.storeOf(name)
}

// uploadsCmd is "blosc2 uploads".
type uploadsCmd struct {
	Remove bool
	URLs   []string
}

func (c *uploadsCmd) define(g *grammar) {
	g.BoolVar(&c.Remove, "remove", false, "Remove the uploads. Those still under way will fail.")
	g.rest(&c.URLs, "URL", "Store to list: s3://BUCKET or s3://BUCKET/PREFIX.")
}

// Run lists the uploads below each URL.
func (c *uploadsCmd) Run(e *env) error {
	return e.each(c.URLs, func(url string) error {
		if s := schemeOf(url); s == "" || s == "http" || s == "https" {
			return misusef("%s: must be a store, as s3://BUCKET", publicName(url))
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
