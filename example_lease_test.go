package timer_test

import (
	"fmt"

	"github.com/timerfacility/timer"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// A Lease is a request type: what it is about, and the handle of its timer. The
// method expire is the action of all leases, and the lease the id of its timer.
type Lease struct {
	client string
	table  *Leases
	handle timer.Handle
}

// Leases are the leases of a server, by client.
type Leases struct {
	timers   timer.Timer[*Lease]
	byClient map[string]*Lease
}

func (l *Lease) expire() {
	fmt.Println(l.client, "has lost its lease")
	delete(l.table.byClient, l.client)
}

// Grant gives the client a lease.
func (t *Leases) Grant(client string, duration timer.Tick) error {
	l := &Lease{client: client, table: t}
	h, err := t.timers.StartTimer(duration, l, (*Lease).expire)
	if err != nil {
		return err
	}
	l.handle = h
	t.byClient[client] = l
	return nil
}

// Return takes the lease back, and reports whether there was one.
func (t *Leases) Return(client string) bool {
	l, ok := t.byClient[client]
	if !ok {
		return false
	}
	delete(t.byClient, client)
	return t.timers.StopTimer(l.handle)
}

// A method as the action, and the request that it belongs to as the id: nothing is
// allocated for a timer but the request itself.
func Example_method() {
	wheel, err := hierarchical.New[*Lease](hierarchical.Config{})
	if err != nil {
		panic(err)
	}
	leases := &Leases{timers: wheel, byClient: make(map[string]*Lease)}

	fmt.Println(leases.Grant("alice", 300))
	fmt.Println(leases.Grant("bob", 300))
	fmt.Println(leases.Grant("carol", 0))
	timer.AdvanceTo(wheel, 200, timer.All)
	fmt.Println("bob returns it:", leases.Return("bob"))
	timer.AdvanceTo(wheel, 400, timer.All)
	fmt.Println("alice returns it:", leases.Return("alice"))
	// Output:
	// <nil>
	// <nil>
	// timer: interval out of range: 0 is not from 1 to 18446744073709551615
	// bob returns it: true
	// alice has lost its lease
	// alice returns it: false
}
