package remote

import (
	"net/http"
	"time"
)

// These are the defaults of the options for reading, and of those for writing.
const (
	DefaultConcurrency = 10
	DefaultCache       = 256 << 20
	DefaultRetries     = 5
	DefaultRanges      = 128
	DefaultStall       = 30 * time.Second
	DefaultFirst       = 64 << 10

	DefaultPart     = 16 << 20
	DefaultPutStall = time.Minute
)

type config struct {
	client      *http.Client
	header      http.Header
	concurrency int
	ranges      int   // largest number of ranges of one request
	request     int64 // cost of a request in bytes; if negative, it is computed from the measured latency
	cache       *Cache
	retries     int
	wait        time.Duration // time before the first retry
	stall       time.Duration
	first       int64 // number of bytes that the first request reads
	tail        int64 // number of bytes at the end to read first; 0 reads the beginning
}

// An Option changes how an object is read.
type Option func(*config)

func newConfig(opts []Option) config {
	c := config{client: defaultClient, concurrency: DefaultConcurrency, ranges: DefaultRanges, request: -1, retries: DefaultRetries, first: DefaultFirst, wait: 100 * time.Millisecond, stall: DefaultStall}
	for _, o := range opts {
		if o != nil {
			o(&c)
		}
	}
	c.concurrency = max(c.concurrency, 1)
	c.ranges = max(c.ranges, 1)
	c.first = max(c.first, 1)
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

// Client makes Open use c, which may add credentials. Its Transport should keep
// at least Concurrency idle connections to a host.
func Client(c *http.Client) Option { return func(cfg *config) { cfg.client = c } }

// Header adds h to the requests of Open.
func Header(h http.Header) Option { return func(cfg *config) { cfg.header = h } }

// First sets how many bytes the first request reads; DefaultFirst unless given.
// An object of up to that size takes one request. 4 KiB suffice for the headers of
// most frames and arrays, and save bytes where all objects are large.
func First(n int64) Option { return func(cfg *config) { cfg.first = n } }

// Tail makes the first request read the last n bytes of the object instead of
// its beginning, for files with a directory at their end. It has no effect
// if the backend is not an Ender.
func Tail(n int64) Option { return func(cfg *config) { cfg.tail = n } }

// Concurrency sets how many requests for an object are in flight at a time;
// DefaultConcurrency unless given.
func Concurrency(n int) Option { return func(cfg *config) { cfg.concurrency = n } }

// RequestCost sets how many bytes take as long as a request. If a window needs more
// requests than Concurrency, gaps of up to this many bytes are read to save
// requests; 0 reads as few bytes as possible. By default, or if negative, it is
// 1/Concurrency of the bytes that a link of 1 Gbit/s carries during the latency of
// a request: 256 KiB for 20 ms. The latency is that of the quickest answer so far,
// at most 100 ms.
func RequestCost(bytes int64) Option { return func(cfg *config) { cfg.request = bytes } }

// RangesPerRequest sets how many ranges Open requests together, up to 4 MiB of them;
// DefaultRanges unless given. If n is 1, each range is requested separately. An Object
// also does so if its server does not answer such a request with all ranges, or if the
// headers of the first answer are those of an object store, which does not support such
// requests.
func RangesPerRequest(n int) Option { return func(cfg *config) { cfg.ranges = n } }

// UseCache makes the object use c, which other objects may use too. Without it each
// object has a separate cache of DefaultCache bytes.
func UseCache(c *Cache) Option { return func(cfg *config) { cfg.cache = c } }

// Retries sets how often a failed request is retried; DefaultRetries unless given. If
// most requests for an object fail, they are not retried at all.
func Retries(n int) Option { return func(cfg *config) { cfg.retries = n } }

// RetryWait sets the time before the first retry of a request; it doubles with
// each, up to 10 s. If the server sends Retry-After, that is the time to wait, up
// to 30 s.
func RetryWait(d time.Duration) Option { return func(cfg *config) { cfg.wait = d } }

// Stall sets how long a request may receive no data before it is abandoned and
// repeated; DefaultStall unless given.
func Stall(d time.Duration) Option { return func(cfg *config) { cfg.stall = d } }
