// Package logic simulates digital logic gate by gate on package simulation. That
// is where timing wheels were first used: in TEGAS-2 and DECSIM (Varghese and
// Lauck 1987, section 4.2; 1997, section IV.B).
//
// A [Circuit] is a netlist of gates without loops, read in the ISCAS-85 .bench
// format by [Parse] or made by [Multiplier]. A [Simulator] gives its inputs
// values and lets the changes run through the gates.
//
//	1 ──┐NAND                    c17, the smallest circuit of ISCAS-85
//	    ├────10──┐NAND
//	3 ┬─┘        ├────22
//	  └─┐NAND  ┌─┘
//	    ├──11┬─│─┐
//	6 ──┘    │ │ │NAND
//	2 ───────│─│─┴───16┐
//	         │ └───────┤NAND
//	         └─┐NAND   ├────23
//	7 ─────────┴───19──┘
//
// # Events
//
// An event is the change of one signal. It is taken in two steps, so that the
// order of the changes in one tick does not matter: first all signals of the tick
// change, then each gate that sees a change is evaluated, once. The second step
// is an event with no delay, which package simulation runs after all others of
// the tick.
//
// # Pulses
//
// A gate has a delay, and is inertial: its output follows its inputs that much
// later, but a pulse at its inputs shorter than the delay has no effect. So at
// most one change of a signal is pending. If the gate is evaluated again and wants
// its old value after all, the change is cancelled. That is the simulators' use
// of STOP_TIMER, and it is rare ([Counts]): with equal delays no pulse is short
// enough, and with delays of chance in the 16-bit multiplier 9 changes in 100 are
// cancelled. Most timers of a timer module are stopped. That is why simulators can
// afford to cancel by a mark, and timer modules cannot (section 4.2).
//
// # Costs
//
// An event costs one START_TIMER, its share of a tick, and one evaluation for
// each gate that the signal leads to. Delays are short: all are within one turn
// of a wheel of moderate size, so that simulators do without more than an
// overflow list.
//
// # References
//
//	F. Brglez, H. Fujiwara: A neutral netlist of 10 combinational benchmark circuits and a
//	target translator in Fortran. ISCAS 1985.
package logic
