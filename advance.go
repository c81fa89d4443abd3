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
	left := limit
	for {
		left -= t.ExpiryProcessing(left)
		if left == 0 {
			return false
		}
		if limit < 0 {
			left = All
		}
		due := 0
		for due == 0 {
			now := t.Now()
			if now >= target {
				return true
			}
			if tickless != nil {
				if idle := min(tickless.IdleTicks(), target-now); idle > 0 {
					tickless.SkipTicks(idle)
					continue
				}
			}
			due = t.PerTickBookkeeping()
		}
	}
}
