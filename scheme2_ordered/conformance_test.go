package ordered_test

import (
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
)

var configurations = []struct {
	name   string
	config ordered.Config
	fifo   bool
}{
	{name: "FromFront", config: ordered.Config{}, fifo: true},
	{name: "FromRear", config: ordered.Config{FromRear: true}, fifo: true},
}

// at makes a module of the configuration with its clock at now.
func at(cfg ordered.Config, now timer.Tick) *ordered.List[int] {
	cfg.Now = now
	m, err := ordered.New[int](cfg)
	if err != nil {
		panic(err)
	}
	return m
}

func suite(cfg ordered.Config, fifo bool) conformance.Suite {
	return conformance.Suite{
		New:      func() timer.Timer[int] { return at(cfg, 0) },
		NewAt:    func(now timer.Tick) timer.Timer[int] { return at(cfg, now) },
		FIFO:     fifo,
		NoAllocs: true,
	}
}

func TestConformance(t *testing.T) {
	for _, c := range configurations {
		t.Run(c.name, suite(c.config, c.fifo).Run)
	}
}

func FuzzConformance(f *testing.F) {
	c := configurations[0]
	suite(c.config, c.fifo).Fuzz(f)
}
