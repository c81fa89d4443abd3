module github.com/timerfacility/timer/bench/report

go 1.26.8

require (
	github.com/timerfacility/timer v0.0.0
	golang.org/x/term v0.47.0
)

require (
	github.com/google/btree v1.1.3 // indirect
	golang.org/x/exp v0.0.0-20260908205506-85c1c2202aba // indirect
	golang.org/x/sys v0.49.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace github.com/timerfacility/timer => ../..
