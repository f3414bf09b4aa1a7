package stream_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2/stream"
)

// secure returns the two ends of a TLS connection over loopback, with a
// certificate of its own.
func secure(t testing.TB) (a, b *tls.Conn) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"test"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must(t, err)
	cert, err := x509.ParseCertificate(der)
	must(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(cert)
	rawA, rawB := tcp(t)
	a = tls.Client(rawA, &tls.Config{RootCAs: roots, ServerName: "test"})
	b = tls.Server(rawB, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}})
	return a, b
}

// kinds makes the connections over which a Conn is tested.
var kinds = map[string]func(t testing.TB) (a, b net.Conn){
	"tcp":  func(t testing.TB) (a, b net.Conn) { return tcp(t) },
	"tls":  func(t testing.TB) (a, b net.Conn) { return secure(t) },
	"pipe": func(t testing.TB) (a, b net.Conn) { return net.Pipe() },
}

// A thousand messages of random sizes each way, at the same time, arrive as they were
// sent, over every kind of connection and with every method of sending.
func TestConnEveryWay(t *testing.T) {
	ways := map[string][]stream.ConnOption{
		"at once":       nil,
		"buffered":      {stream.Buffered(), stream.ChunkSize(30_000)},
		"delayed":       {stream.Delay(10_000, time.Millisecond)},
		"by size alone": {stream.Delay(3000, time.Hour)},
		"compact":       {stream.Compact(), stream.TypeSize(4)},
		"both":          {stream.Compact(), stream.Delay(0, 100*time.Microsecond), stream.ChunkSize(5000)},
		"two workers":   {stream.Delay(0, time.Millisecond), stream.Workers(2), stream.ChunkSize(20_000)},
	}
	for kind, connect := range kinds {
		for way, opts := range ways {
			t.Run(kind+" "+way, func(t *testing.T) {
				rawA, rawB := connect(t)
				a, err := stream.NewConn(rawA, opts...)
				must(t, err)
				b, err := stream.NewConn(rawB, opts...)
				must(t, err)
				var all, drains sync.WaitGroup
				for i, end := range []*stream.Conn{a, b} {
					must(t, end.SetDeadline(time.Now().Add(time.Minute)))
					all.Go(func() { sendMessages(t, end, uint64(i)) })
					all.Go(func() {
						receiveMessages(t, end, uint64(1-i))
						if kind != "pipe" {
							expectEnd(t, end)
						} else { // a pipe has no CloseWrite, and the peer's CloseWrite waits until its data are read
							drains.Go(func() { end.WriteTo(io.Discard) })
						}
					})
				}
				all.Wait()
				closeAll([]*stream.Conn{a, b})
				drains.Wait()
				sent, _ := a.Stats()
				if _, received := b.Stats(); sent.Bytes == 0 || received.Bytes != sent.Bytes {
					t.Errorf("%d bytes sent, %d received", sent.Bytes, received.Bytes)
				}
			})
		}
	}
	goleak.VerifyNone(t)
}

func sendMessages(t *testing.T, c *stream.Conn, seed uint64) {
	t.Helper()
	messages(seed, func(p []byte) {
		own := bytes.Clone(p)
		if n, err := c.Write(own); n != len(p) || err != nil {
			t.Errorf("Write: %d, %v", n, err)
		}
		clear(own) // Write must not retain p
	})
	if err := c.CloseWrite(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("CloseWrite: %v", err)
	}
}

func receiveMessages(t *testing.T, c *stream.Conn, seed uint64) {
	t.Helper()
	messages(seed, func(want []byte) {
		got := make([]byte, len(want))
		if _, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: others came, or %v", len(want), err)
		}
	})
}

func expectEnd(t *testing.T, c *stream.Conn) {
	t.Helper()
	if n, err := c.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("after the last message: %d, %v", n, err)
	}
}

// Many goroutines use one Conn at the same time.
func TestConnConcurrent(t *testing.T) {
	for kind, connect := range kinds {
		rawA, rawB := connect(t)
		a, err := stream.NewConn(rawA, stream.Delay(500, 50*time.Microsecond))
		must(t, err)
		b, err := stream.NewConn(rawB)
		must(t, err)
		received := make(chan int64)
		go func() {
			n, err := b.WriteTo(io.Discard)
			if err != nil {
				t.Errorf("%s: %v", kind, err)
			}
			received <- n
		}()
		var writers sync.WaitGroup
		for range 8 {
			writers.Go(func() {
				for i := range 300 {
					if _, err := a.Write(numbers(i)); err != nil {
						t.Errorf("%s: %v", kind, err)
					}
					if i%50 == 0 {
						a.Flush()
						a.SetWriteDeadline(time.Now().Add(time.Minute))
						a.Stats()
					}
				}
			})
		}
		writers.Wait()
		must(t, a.Close())
		if n := <-received; n != 8*300*299/2 {
			t.Errorf("%s: %d bytes arrived", kind, n)
		}
		b.Close()
	}
	goleak.VerifyNone(t)
}
