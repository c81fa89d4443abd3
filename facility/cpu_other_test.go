//go:build !unix

package facility

import "time"

// cpuTime is the time of day where the CPU time is not to be had.
func cpuTime() time.Duration { return time.Since(begin) }

var begin = time.Now()
