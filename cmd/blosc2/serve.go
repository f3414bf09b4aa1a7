package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/serve"
	"github.com/seed03b80dae/blosc2/frame"
)

// serveCmd is "blosc2 serve".
type serveCmd struct {
	Addr   string
	Public bool
	Token  string
	CORS   string
	Open   bool
	Watch  bool
	checkFlag
	Window size
	Memory size
	Names  []string
}

func (c *serveCmd) define(g *grammar) {
	g.StringVar(&c.Addr, "addr", "localhost:8025", "Address `HOST:PORT` to listen on; port 0 chooses a free one. Other hosts than this one require the token that is printed.")
	g.BoolVar(&c.Public, "public", false, "Require no token.")
	g.StringVar(&c.Token, "token", "", "`TOKEN` to require; default: a random one, unless only this machine can connect.")
	g.StringVar(&c.CORS, "cors", "", "`ORIGIN` whose web pages may read the data, as viewers of Zarr need; * for all.")
	g.BoolVar(&c.Open, "open", false, "Open the page in the browser.")
	g.BoolVar(&c.Watch, "watch", false, "Follow files that change, and update the pages that show them.")
	c.checkFlag.define(g)
	g.bytes(&c.Window, "max-window", "Largest response in `BYTES`; default: 1G.")
	g.bytes(&c.Memory, "memory", "Memory for all requests together in `BYTES`; default: 256M.")
	g.rest(&c.Names, "NAME", "Folders, files and URLs to serve.")
}

// check returns an error for flags that cannot be combined.
func (c *serveCmd) check(*grammar) error {
	if c.Public && c.Token != "" {
		return errors.New("--public and --token cannot be combined")
	}
	if _, _, err := net.SplitHostPort(c.Addr); err != nil {
		return fmt.Errorf("--addr %s: must be HOST:PORT", c.Addr)
	}
	return nil
}

// Run serves the files until a signal arrives.
func (c *serveCmd) Run(e *env) error {
	places, err := c.places(e)
	if err != nil {
		return err
	}
	defer func() {
		for _, p := range places {
			p.Close()
		}
	}()
	listener, err := net.Listen("tcp", c.Addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return withName(c.Addr, errors.New("another program listens there; --addr HOST:PORT names another address, and port 0 chooses a free one"))
	}
	if err != nil {
		return withName(c.Addr, err)
	}
	config := serve.Config{
		Places: places, Describe: describeServed, DescribeZarr: describeServedZarr, OpenPlain: openServed, Watch: c.Watch, CORS: c.CORS,
		Token: c.Token, MaxWindow: int64(c.Window), Memory: int64(c.Memory),
	}
	address := listener.Addr().(*net.TCPAddr)
	switch {
	case c.Public || config.Token != "":
	case address.IP.IsLoopback():
		config.Hosts = []string{"localhost", "127.0.0.1", "::1"}
	default:
		config.Token = serve.NewToken()
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit(int64(c.Memory)))
	}
	page := c.page(address, config.Token)
	if err := e.print(page + "\n"); err != nil {
		return err
	}
	if c.Open {
		if err := openBrowser(page); err != nil {
			e.note("%v", err)
		}
	}
	return c.serve(listener, serve.New(config))
}

// serve answers requests until a signal arrives. Requests in progress then have a few
// seconds to finish.
func (c *serveCmd) serve(listener net.Listener, s *serve.Server) error {
	ctx, stop := signal.NotifyContext(context.Background(), endings...)
	defer stop()
	h := s.HTTP()
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop() // so that a second signal ends the program immediately
	grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := h.Shutdown(grace); err != nil {
		h.Close()
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return s.Close()
}

// places opens the arguments. A single folder is the root of all paths.
func (c *serveCmd) places(e *env) ([]*serve.Place, error) {
	var places []*serve.Place
	seen := map[string]bool{}
	for _, name := range c.Names {
		p, err := openPlace(e, name)
		if err != nil {
			for _, p := range places {
				p.Close()
			}
			return nil, withName(publicName(name), err)
		}
		p.Check = c.checks(name)
		for base, n := p.Name, 2; seen[p.Name]; n++ {
			p.Name = fmt.Sprintf("%s (%d)", base, n)
		}
		seen[p.Name] = true
		places = append(places, p)
	}
	if len(places) == 1 && places[0].Folder() {
		places[0].Name = ""
	}
	return places, nil
}

func openPlace(e *env, name string) (*serve.Place, error) {
	if !isURL(name) {
		f, err := os.Open(name) // opened so that a missing permission is reported now
		if err != nil {
			return nil, err
		}
		f.Close()
		return serve.OpenPlace(name)
	}
	base := path.Base(localName(name))
	if base == "" || base == "." || base == "/" || strings.HasPrefix(base, ".") {
		base = "object"
	}
	if isZarr(name) {
		fsys, arrays, err := e.openZarr(name)
		if err != nil {
			return nil, err
		}
		return serve.ZarrPlace(base, fsys, arrays), nil
	}
	o, err := e.openURL(name)
	if err != nil {
		return nil, err
	}
	return serve.ObjectPlace(base, o), nil
}

// page returns the address of the page.
func (c *serveCmd) page(a *net.TCPAddr, token string) string {
	host, _, _ := net.SplitHostPort(c.Addr)
	if host == "" || a.IP.IsUnspecified() {
		host = "localhost"
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, fmt.Sprint(a.Port)), Path: "/"}
	if token != "" {
		u.RawQuery = url.Values{"token": {token}}.Encode()
	}
	return u.String()
}

// openBrowser opens an address with the system's default browser.
func openBrowser(address string) error {
	words := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if words == nil {
		words = []string{"xdg-open"}
	}
	cmd := exec.Command(words[0], append(words[1:], address)...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot open a browser: %w", err)
	}
	return cmd.Process.Release()
}

// describeServed returns the output of info about a frame.
func describeServed(name string, f *frame.Reader, size int64) (any, error) {
	t := &target{name: name, kind: kindFrame, frame: f, size: size}
	if isArray(f.Metalayers()) {
		t.kind = kindArray
	}
	d, err := describeFrame(t)
	d.Schema = "blosc2.info/1"
	return d, err
}

// describeServedZarr returns the output of info about a Zarr array.
func describeServedZarr(name string, fsys fs.FS, folder string) (any, error) {
	d, err := describeZarr(fsys, folder)
	d.File = name
	return d, err
}

// memoryLimit returns the soft limit of memory. It is above the budget for answers,
// because the program needs other memory too.
func memoryLimit(answers int64) int64 {
	if answers == 0 {
		answers = serve.DefaultMemory
	}
	return answers + answers/2 + 64<<20
}
