package unordered_test

import (
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
	unordered "github.com/timerfacility/timer/scheme1_unordered"
)

var configurations = []struct {
	name   string
	config unordered.Config
	fifo   bool
}{
	{name: "Decrement", config: unordered.Config{}, fifo: true},
	{name: "Compare", config: unordered.Config{Compare: true}, fifo: true},
}

// at makes a module of the configuration with its clock at now.
func at(cfg unordered.Config, now timer.Tick) *unordered.List[int] {
	cfg.Now = now
	m, err := unordered.New[int](cfg)
	if err != nil {
		panic(err)
	}
	return m
}

func suite(cfg unordered.Config, fifo bool) conformance.Suite {
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
