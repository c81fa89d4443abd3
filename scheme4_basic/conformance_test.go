package basic_test

import (
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
	basic "github.com/timerfacility/timer/scheme4_basic"
)

var configurations = []struct {
	name   string
	config basic.Config
	fifo   bool
}{
	{name: "Default", config: basic.Config{}, fifo: true},
	{name: "MaxInterval1", config: basic.Config{MaxInterval: 1}, fifo: true},
	{name: "MaxInterval2", config: basic.Config{MaxInterval: 2}, fifo: true},
	{name: "MaxInterval100", config: basic.Config{MaxInterval: 100}, fifo: true},
	{name: "Overflow", config: basic.Config{Overflow: true}, fifo: true},
	{name: "Overflow1", config: basic.Config{MaxInterval: 1, Overflow: true}, fifo: true},
	{name: "Overflow100", config: basic.Config{MaxInterval: 100, Overflow: true}, fifo: true},
}

// at makes a module of the configuration with its clock at now.
func at(cfg basic.Config, now timer.Tick) *basic.Wheel[int] {
	cfg.Now = now
	m, err := basic.New[int](cfg)
	if err != nil {
		panic(err)
	}
	return m
}

func suite(cfg basic.Config, fifo bool) conformance.Suite {
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
