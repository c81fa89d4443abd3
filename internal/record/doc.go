// Package record keeps what every timer module has beside its structure: the
// clock and the counters, the records of the timers with their handles, the
// circular doubly linked lists or the bags that the records stand in, and the queue
// of the timers that are due.
//
//	 heads of the scheme's lists  due    timers
//	┌───┬───┬─ ─ ─┬───┬───┐           ┌────────┬────────┬────────┬────────┬─ ─ ─
//	│ 0 │ 1 │     │n-1│ n │           │  1024  │  1025  │  1026  │  1027  │
//	└┬─▲┴───┴─ ─ ─┴───┴───┘           └───▲────┴────────┴────────┴──▲─┬───┴─ ─ ─
//	 │ │                                  │                         │ │
//	 │ └──────────────────────────────────┼─────────────────────────┼─┘
//	 └─────────── list 0: ────────────────┴── 1024 ─────────────────┴── 1027, and back to its head
//
//	a head     next 4 │ prev 4
//	a record   number 8 │ id 8 │ next 4 │ prev 4 │ generation 4 │ action 4
//
// A [Ref] is the number of a head or of a record; the records come after the heads,
// from a multiple of 1024 on. A list is circular through its head, so that to insert
// and to remove asks no question: what is before and what is after are there, be
// they the head. No record points to another, so that a garbage collection finds
// a few flat arrays where there are a million timers, and nothing at all to follow
// in them unless the ids are pointers.
//
// # Bags
//
// Schemes 1 to 6 keep their timers in lists, as in the paper. A slot of Scheme 7 is a
// [Bag] instead: an array, in pieces, of the Refs of its timers. What is slow with
// many timers is memory, and StopTimer then touches one place in it, that of the
// record, and not four.
//
// # Handles
//
// A handle is the generation of a record and its Ref, 32 bits each. The
// generation is odd while the timer is outstanding and goes up by one when it
// starts and when it ends, so that the handles of one record differ 2^31 times
// over. A record whose generations are spent is retired instead of used again: a
// handle never comes to name another timer, and a module loses one record, 32
// bytes, in 2^31 starts of it.
//
// # Growth
//
// Records grow in chunks that never move: to grow by one chunk copies nothing but
// the table of chunks, so that the longest StartTimer does not grow with the
// number of timers. DESIGN.md beside this file has the figures of this layout and
// of those that were tried against it.
package record
