//go:build !unix

package main

import "time"

// connections is how many the benchmarks open.
func connections() int { return 1000 }

// cpuTime is the time of day where the CPU time is not to be had.
func cpuTime() time.Duration { return time.Since(begin) }

var begin = time.Now()
