package frame

import "strconv"

var orderNames = [...]string{"by index", "sealed", "unsealed"}

// String returns "by index", "sealed" or "unsealed".
func (o Order) String() string {
	if int(o) < len(orderNames) {
		return orderNames[o]
	}
	return "order " + strconv.Itoa(int(o))
}
