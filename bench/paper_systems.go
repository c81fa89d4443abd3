package bench

// systemClaims are the claims of 1997's section VIII: other systems.
func systemClaims() []Claim {
	return []Claim{
		{
			ID: "L-1", Source: "1997 s. VIII",
			Title:  "who uses timing wheels",
			Text:   "Timing wheels are used in fast TCPs, the X-kernel, DEC's GIGAswitch, Siemens' CHANNELS, BSD and on the VAX.",
			Expect: NotTestable, Why: "It is the history of other systems.",
		},
		{
			ID: "L-2", Source: "1997 s. VIII, after Brown",
			Title:     "calendar queues: resizing gains a timer nothing",
			Text:      "A calendar queue resizes its wheel to step over fewer empty buckets; for timers that is not worth it, since the clock is advanced anyway.",
			Predicted: "dearer", Expect: Holds,
			Measure: calendar,
		},
		{
			ID: "L-3", Source: "sources published after 1997",
			Title:  "four levels of 256 in NetBSD, OpenBSD, QNX",
			Text:   "The callouts of NetBSD and others are Scheme 7 with four levels of 256.",
			Expect: NotTestable, Why: "It is about other systems. Their levels are the second hierarchy of S7-6.",
		},
	}
}

// calendar compares a table that follows n, as a calendar queue's does, with a
// large one that stays: every tick is paid for in both, but the small table
// visits each timer more often.
func calendar(l *Lab) Result {
	const n, t = 600, 20_000
	resized, large := steady(l, n, 1024, t), steady(l, n, 65536, t)
	return Result{Figures: []Figure{
		number("VAX instructions a tick, table of 65,536", none, steadyTheory(n, 65536, t), large, 0),
		atLeast("VAX instructions a tick, table resized to n, over that", 1.1, Exact(round(resized.Mean/large.Mean))),
	}}
}
