package tree_test

import (
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
	tree "github.com/timerfacility/timer/scheme3_tree"
)

var configurations = []struct {
	name   string
	config tree.Config
	fifo   bool
}{
	{name: "BTree", config: tree.Config{}, fifo: true},
	{name: "BinaryHeap", config: tree.Config{Kind: tree.BinaryHeap}},
	{name: "Leftist", config: tree.Config{Kind: tree.Leftist}},
	{name: "Unbalanced", config: tree.Config{Kind: tree.Unbalanced}, fifo: true},
}

// at makes a module of the configuration with its clock at now.
func at(cfg tree.Config, now timer.Tick) *tree.Tree[int] {
	cfg.Now = now
	m, err := tree.New[int](cfg)
	if err != nil {
		panic(err)
	}
	return m
}

func suite(cfg tree.Config, fifo bool) conformance.Suite {
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
