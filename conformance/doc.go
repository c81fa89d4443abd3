// Package conformance tests a timer module against the contract of package
// timer, sentence by sentence, beside an oracle that is obviously right.
package conformance
