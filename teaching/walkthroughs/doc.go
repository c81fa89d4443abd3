// Package walkthroughs is a course in timer schemes that go test executes. Each
// .txt file beside this one is a hand-out: a story about one figure, example or
// trap of the papers of Varghese and Lauck, with operations on a real timer
// module and, after each few of them, a picture of its structure.
// README.md lists them in the order of the course.
//
// # The files
//
// Lines that begin with # tell the story. A block of other lines says what is
// done; it ends with a line ----, and what follows, up to an empty line, is what
// came of it:
//
//	# Look at slot 3.
//	start a 2
//	----
//	now       1
//	slots     ┌───┬─▼─┬───┬─────┬───┐
//	          │ 0 │ 1 │ 2 │ 3   │ 4 │
//	          └───┴───┴───┴─┬───┴───┘
//	                        a 3
//	costs     compares 0, visits 0, moves 0
//
// The operations are those of a trace of package conformance: start, stop, reset,
// tick, process, advance, skip. What they answer stands before the picture, and
// so does every action that runs. Each picture ends with the costs so far, and in
// parentheses what the block added.
//
// A block begins with lines that say on which modules the operations work from
// then on:
//
//	module hierarchical levels=60,60,24,100 now=987870 time=clock
//
// The scheme's package is followed by the fields of its Config, in lower case.
// With time=clock a tick is drawn as a time of day, in seconds; with show=handles
// a start tells the handle's two parts. Several such
// lines make several modules, on each of which everything is done. They are put
// beside each other like that to show where they differ, or that they do not.
//
// # To change one
//
// To write a hand-out, write the story and the operations, with an empty line
// after each ----, and have the rest filled in:
//
//	go test ./teaching/walkthroughs -rewrite
//
// or, where other packages are tested along, TIMER_REWRITE=1 go test ./... . Then
// look at what changed, and commit it only if you understand why it did.
package walkthroughs
