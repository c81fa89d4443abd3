//go:build race

package bench

// raced says that the race detector slows the experiments, which share nothing,
// down to minutes.
const raced = true
