module github.com/timerfacility/timer

go 1.26.8

require (
	github.com/google/btree v1.1.3
	golang.org/x/exp v0.0.0-20260908205506-85c1c2202aba
	gonum.org/v1/gonum v0.17.0
)
