package bench

import "github.com/timerfacility/timer"

// vax is the cost in "cheap" VAX instructions, after section 7 of the 1987
// paper: 13 to start a timer, 7 to stop one, 4 for a tick, 6 for each timer that
// the tick examines, and 9 more for each that expires.
func vax(c timer.Costs) uint64 {
	return 13*c.Starts + 7*c.Stops + 4*c.Ticks + 6*c.Visits + 9*c.Expiries
}
