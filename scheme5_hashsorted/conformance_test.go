package hashsorted_test

import (
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
	hashsorted "github.com/timerfacility/timer/scheme5_hashsorted"
)

var configurations = []struct {
	name   string
	config hashsorted.Config
	fifo   bool
}{
	{name: "Default", config: hashsorted.Config{}, fifo: true},
	{name: "TableSize1", config: hashsorted.Config{TableSize: 1}, fifo: true},
	{name: "TableSize2", config: hashsorted.Config{TableSize: 2}, fifo: true},
	{name: "TableSize64", config: hashsorted.Config{TableSize: 64}, fifo: true},
}

// at makes a module of the configuration with its clock at now.
func at(cfg hashsorted.Config, now timer.Tick) *hashsorted.Wheel[int] {
	cfg.Now = now
	m, err := hashsorted.New[int](cfg)
	if err != nil {
		panic(err)
	}
	return m
}

func suite(cfg hashsorted.Config, fifo bool) conformance.Suite {
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
