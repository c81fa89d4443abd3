package hashunsorted_test

import (
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
)

var configurations = []struct {
	name   string
	config hashunsorted.Config
	fifo   bool
}{
	{name: "Default", config: hashunsorted.Config{}, fifo: true},
	{name: "TableSize1", config: hashunsorted.Config{TableSize: 1}, fifo: true},
	{name: "TableSize2", config: hashunsorted.Config{TableSize: 2}, fifo: true},
	{name: "TableSize64", config: hashunsorted.Config{TableSize: 64}, fifo: true},
}

// at makes a module of the configuration with its clock at now.
func at(cfg hashunsorted.Config, now timer.Tick) *hashunsorted.Wheel[int] {
	cfg.Now = now
	m, err := hashunsorted.New[int](cfg)
	if err != nil {
		panic(err)
	}
	return m
}

func suite(cfg hashunsorted.Config, fifo bool) conformance.Suite {
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
