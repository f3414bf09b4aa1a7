package workpool_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed03b80dae/blosc2/internal/workpool"
)

// Two workers convert words to upper case, and the results are returned in order.
func Example() {
	p := workpool.New(2, 2+workpool.Spare, func(_ int, s *string) error {
		*s = strings.ToUpper(*s)
		return nil
	})
	p.Start(context.Background(), func() error {
		for _, w := range strings.Fields("first come first served") {
			j, err := p.Acquire()
			if err != nil {
				return err
			}
			j.Value = w
			p.Submit(j)
		}
		return nil
	})
	defer p.Close()
	for {
		j, err := p.Next()
		if err != nil { // Next returns io.EOF after the last job
			fmt.Println(err)
			return
		}
		fmt.Println(j.Value)
		p.Release(j)
	}
	// Output:
	// FIRST
	// COME
	// FIRST
	// SERVED
	// EOF
}
