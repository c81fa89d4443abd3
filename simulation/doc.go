// Package simulation is a discrete-event simulator whose event list is a timer
// module: any of the seven schemes, the wheels of the simulators that they came
// from (package wheels), or anybody's own.
//
// Varghese and Lauck take timing wheels from simulators of digital logic (1987,
// section 4.2; 1997, section IV.B) and give timers back to them: an event is a
// timer whose action changes the model, START_TIMER schedules it, STOP_TIMER
// cancels it.
//
//	model   ──Schedule, Cancel──▶  Simulation  ──StartTimer, StopTimer──▶  module
//	  ▲                              │     ▲                                 │
//	  └────────────events────────────┘     └───what is due at this tick──────┘
//	   first scheduled, first run                   in any order
//
// # The two ways of time
//
// A simulator's clock moves in one of two ways (section 4.2). With [Jump], it
// goes from event to event, as in GPSS and SIMULA: the ticks between are
// skipped. With [Step], it goes tick by tick until something is due, as in TEGAS
// and DECSIM. The same model gives the same run either way. Jump costs the
// module's search for its next timer, Step its empty ticks: "overhead" for a
// simulator, in the paper's words, and next to nothing for whoever has a clock
// that ticks anyway.
//
// # Simultaneous events
//
// Events of one tick run in the order in which they were scheduled, whatever the
// order of the module. A timer module need not keep it; a simulator must, or the
// run depends on the event list. So what is due at a tick is collected and
// sorted by sequence number before the first of it runs.
//
// A delay of 0 is allowed, and never reaches the module: the event runs in the
// tick that is running, after all those that are already there. That is what the
// order asks for, since it was scheduled last. An event that one of the same
// tick cancels does not run.
//
// # Determinism
//
// A simulation reads no clock, draws no random number and starts no goroutine: a
// model that takes its randomness from a seed gives the same run every time, and
// with every module.
//
// # Costs
//
// With s events at a tick, beside what the module's routines cost:
//
//	Schedule, Cancel   O(1)
//	a tick             O(s), and O(s log s) if the module does not keep their order
//
// Nothing allocates in a steady state, if the model makes no new function for
// each event.
//
// # Beside this package
//
// Package queue is queueing theory and its check by simulation; package logic is
// a simulator of gates, the wheels' first home; package monotone is shortest
// paths and spanning trees over Scheme 4 (1997, section IX); package wheels is
// the event lists of TEGAS-2 and DECSIM. The commands are
//
//	go run ./simulation/cmd/queue -interarrival 25ms -service 20ms
//	go run ./simulation/cmd/logic -circuit mult16 -scheme hierarchical
package simulation
