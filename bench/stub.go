package bench

func unorderedClaims() []Claim      { return nil }
func orderedClaims() []Claim        { return nil }
func treeClaims() []Claim           { return nil }
func simulationClaims() []Claim     { return nil }
func basicClaims() []Claim          { return nil }
func hashClaims() []Claim           { return nil }
func hierarchicalClaims() []Claim   { return nil }
func hardwareClaims() []Claim       { return nil }
func multiprocessorClaims() []Claim { return nil }
func systemClaims() []Claim         { return nil }
func algorithmClaims() []Claim      { return nil }
func bsdClaims() []Claim            { return nil }
func errata() []Claim               { return nil }
