package bench

import "slices"

// Claims are all claims of the papers, and all errors in them that we know of,
// in the order of the 1997 paper; the errors, E1 to E12, come last.
func Claims() []Claim {
	return slices.Concat(
		modelClaims(),
		unorderedClaims(),
		orderedClaims(),
		treeClaims(),
		simulationClaims(),
		basicClaims(),
		hashClaims(),
		hierarchicalClaims(),
		hardwareClaims(),
		multiprocessorClaims(),
		systemClaims(),
		algorithmClaims(),
		bsdClaims(),
		errata(),
	)
}
