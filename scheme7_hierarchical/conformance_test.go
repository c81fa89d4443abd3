package hierarchical_test

import (
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

var configurations = []struct {
	name   string
	config hierarchical.Config
	fifo   bool
}{
	{name: "Default", config: hierarchical.Config{}},
	{name: "Clock", config: hierarchical.Config{Levels: []int{60, 60, 24, 100}}},
	{name: "OneLevel", config: hierarchical.Config{Levels: []int{100}}},
	{name: "Binary", config: hierarchical.Config{Levels: []int{2, 2, 2, 2, 2, 2, 2, 2}}},
	{name: "PowersOfTwo", config: hierarchical.Config{Levels: []int{16, 4, 64}}},
	{name: "PowersAfterAnOddOne", config: hierarchical.Config{Levels: []int{6, 2, 8}}},
	{name: "Mixed", config: hierarchical.Config{Levels: []int{7, 16, 3, 5}}},
	{name: "NoMigrationInOneLevel", config: hierarchical.Config{Levels: []int{100}, Precision: hierarchical.NoMigration}},
	{name: "RoundOnceInTwoLevels", config: hierarchical.Config{Levels: []int{16, 10}, Precision: hierarchical.RoundOnce}},
	{name: "Decimal", config: hierarchical.Config{Levels: []int{10, 10, 10, 10, 10, 10, 10}}},
}

// at makes a module of the configuration with its clock at now.
func at(cfg hierarchical.Config, now timer.Tick) *hierarchical.Wheel[int] {
	cfg.Now = now
	m, err := hierarchical.New[int](cfg)
	if err != nil {
		panic(err)
	}
	return m
}

func suite(cfg hierarchical.Config, fifo bool) conformance.Suite {
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
