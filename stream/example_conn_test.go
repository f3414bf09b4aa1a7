package stream_test

import (
	"fmt"
	"io"
	"log"
	"net"
	"time"

	"github.com/seed03b80dae/blosc2/stream"
)

// Measurements that are sent one by one share a chunk if they follow each other
// closely. None is delayed by more than 5 ms.
func ExampleDelay() {
	client, server := net.Pipe()
	received := make(chan int64)
	go func() {
		conn, err := stream.NewConn(server)
		if err != nil {
			log.Fatal(err)
		}
		defer conn.Close()
		n, err := conn.WriteTo(io.Discard)
		if err != nil {
			log.Fatal(err)
		}
		received <- n
	}()
	conn, err := stream.NewConn(client, stream.Delay(16<<10, 5*time.Millisecond))
	if err != nil {
		log.Fatal(err)
	}
	for i := range 1000 {
		if _, err := stream.WriteSlice(conn, []float64{float64(i), 20 + float64(i%10)/10}); err != nil {
			log.Fatal(err)
		}
	}
	if err := conn.Close(); err != nil { // sends the collected data
		log.Fatal(err)
	}
	sent, _ := conn.Stats()
	fmt.Println(<-received, "bytes,", sent.Stored < sent.Bytes/2)
	// Output: 16000 bytes, true
}
