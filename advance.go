package timer

// AdvanceTo runs the ticks of t up to target, each with the actions that are due
// at it, performing at most limit actions in this call ([All]: no limit; 0: it
// does nothing and returns false). Timers that are due already run first; every
// other action sees Now() equal to the tick at which it was due. A target that
// is not ahead of the clock runs what is due and no tick.
//
// It is false as soon as limit actions ran, even if none is left: call it again
// with the same target. A caller that must not stay away for long from other
// work advances in portions so.
//
// Where t is [Tickless], idle ticks are skipped. The cost is then that of the
// ticks at which there is something to do, and O(1) for each stretch between
// them.
func AdvanceTo[RequestID any](t Timer[RequestID], target Tick, limit int) bool {
	if limit == 0 {
		return false
	}
	tickless, _ := t.(Tickless)
	for {
		performed := t.ExpiryProcessing(limit)
		if limit > 0 {
			if limit -= performed; limit == 0 {
				return false
			}
		}
		now := t.Now() // an action may have run ticks
		for due := 0; due == 0; now++ {
			if now < target && tickless != nil {
				if idle := min(tickless.IdleTicks(), target-now); idle > 0 {
					tickless.SkipTicks(idle)
					now += idle
				}
			}
			if now >= target {
				return true
			}
			due = t.PerTickBookkeeping()
		}
	}
}
