// Package record keeps what every timer module has beside its structure: the
// clock and the counters, the records of the timers with their handles, the
// circular doubly linked lists that the records stand in, and the queue of the
// timers that are due.
//
//	            lists of the scheme       due       records
//	           ┌─────┬─────┬─ ─ ─┬─────┬───────┬─────┬─────┬─────┬─ ─ ─
//	links      │  0  │  1  │     │ n-1 │   n   │ n+1 │ n+2 │ n+3 │
//	           └──┬──┴─────┴─ ─ ─┴─────┴───────┴──▲──┴─────┴──▲──┴─ ─ ─
//	              └────── list 0: n+1, n+3 ───────┴───────────┘
//	           one {next, prev} for each head and each record: 8 bytes
//
//	                                           ┌─────┬─────┬─────┬─ ─ ─
//	records    number, generation, list,       │ n+1 │ n+2 │ n+3 │
//	           action, id                      └─────┴─────┴─────┴─ ─ ─
//	           32 bytes with an id of 8
//
// A [Ref] is the place of a record or of a list head in the one row of links. A
// list is circular through its head, so that to insert and to remove asks no
// question: the record before and the record after are there, be they the head.
// No record points to another, so that a garbage collection sees a few flat
// arrays where there are a million timers.
//
// # Handles
//
// A handle is the generation of a record and its Ref, 32 bits each. The
// generation is odd while the timer is outstanding and goes up by one when it
// starts and when it ends, so that an old handle differs from the record's new
// one 2^31 times over. A record whose generations are spent is retired instead
// of used again: a handle never comes to name another timer, and a module loses
// one record, 40 bytes, in 2^31 starts of it.
//
// # Growth
//
// Links and records grow in chunks that never move: to grow by one chunk copies
// nothing but the table of chunks, so that the longest StartTimer does not grow
// with the number of timers. [Table] says what the chunk costs each access.
package record
