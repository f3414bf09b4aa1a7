package remote

import (
	"net/http"
	"time"
)

// Defaults of the options.
const (
	DefaultConcurrency = 10
	DefaultCache       = 256 << 20
	DefaultRetries     = 5
	DefaultStall       = 30 * time.Second
)

type config struct {
	client      *http.Client
	header      http.Header
	concurrency int
	request     int64 // what one costs, in bytes; negative is for the time it takes
	cache       *Cache
	retries     int
	wait        time.Duration // before the first retry
	stall       time.Duration
	tail        int64 // is read first, 0 for the beginning
}

// An Option changes how an object is read.
type Option func(*config)

func newConfig(opts []Option) config {
	c := config{client: defaultClient, concurrency: DefaultConcurrency, request: -1, retries: DefaultRetries, wait: 100 * time.Millisecond, stall: DefaultStall}
	for _, o := range opts {
		o(&c)
	}
	c.concurrency = max(c.concurrency, 1)
	if c.cache == nil {
		c.cache = NewCache(DefaultCache)
	}
	return c
}

// defaultClient keeps as many connections to a host as are used at a time.
var defaultClient = newClient()

func newClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	t.DisableCompression = true
	return &http.Client{Transport: t}
}

// Client makes Open use c, which may add what proves that the caller may read. Its
// Transport should keep as many idle connections to a host as Concurrency says.
func Client(c *http.Client) Option { return func(cfg *config) { cfg.client = c } }

// Header adds h to the requests of Open.
func Header(h http.Header) Option { return func(cfg *config) { cfg.header = h } }

// Tail makes the first request one for the last n bytes of the object, in place of
// its first 64 KiB: for files with a directory at their end. It makes no
// difference where the backend is not an Ender.
func Tail(n int64) Option { return func(cfg *config) { cfg.tail = n } }

// Concurrency sets how many requests for an object are under way at a time;
// DefaultConcurrency unless given.
func Concurrency(n int) Option { return func(cfg *config) { cfg.concurrency = n } }

// RequestCost sets how many bytes take as long as a request. Where a window needs
// more requests than Concurrency, gaps of up to so many bytes are read for fewer
// requests; 0 reads as few bytes as possible. Unless given or negative it is what a line of
// 1 Gbit/s brings, to one of Concurrency requests, while a request waits for its
// answer: 256 KiB where that is 20 ms. The time is that of the quickest answer so
// far, and at most 100 ms.
func RequestCost(bytes int64) Option { return func(cfg *config) { cfg.request = bytes } }

// UseCache makes the object use c, which others may use too. Without it each has
// a separate cache, of DefaultCache bytes.
func UseCache(c *Cache) Option { return func(cfg *config) { cfg.cache = c } }

// Retries sets how often a request is made again before its error is returned;
// DefaultRetries unless given. Where most requests for an object fail they are
// not made again at all.
func Retries(n int) Option { return func(cfg *config) { cfg.retries = n } }

// RetryWait sets the time before the first retry of a request; it doubles with
// each, up to 10 s. A server that says when to try again is believed, up to 30 s.
func RetryWait(d time.Duration) Option { return func(cfg *config) { cfg.wait = d } }

// Stall sets after what time without a byte a request is given up, and made again;
// DefaultStall unless given.
func Stall(d time.Duration) Option { return func(cfg *config) { cfg.stall = d } }
