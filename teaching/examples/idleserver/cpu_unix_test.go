//go:build unix

package main

import (
	"syscall"
	"time"
)

// connections is how many the benchmarks open: 10 000, or what the limit of open
// files leaves room for.
func connections() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 100
	}
	return int(min(10000, limit.Cur*9/10))
}

// cpuTime is the CPU time that the process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
