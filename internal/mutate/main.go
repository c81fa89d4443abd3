// Mutate tests the tests of the schemes. It makes one small fault after another
// in their sources, each in a copy that only go test sees (its -overlay), and
// reports the faults that no test finds.
//
//	nice go run ./internal/mutate                       # all of them: hours
//	nice go run ./internal/mutate -n 50 -seed 7         # fifty, chosen at random
//	nice go run ./internal/mutate -run scheme5 -o done  # one scheme; again with -o done: only what is left
//	go run ./internal/mutate -list -run bitmap          # the faults, without a test
//
// The faults are: a comparison that takes in or leaves out its bound, or is the
// other way round; an integer one more or one less; an operator exchanged for
// its opposite; one operand of a condition left out; a condition negated; true for
// false, min for max; and a statement left out. They are made in the root package,
// in internal/record, in internal/bitmap and in the schemes, except in constants
// that only tune, which equivalent.txt lists.
//
// A mutant is killed if a test fails, in its own package or in one that imports it.
// It may also fail to compile, or run out of time, which is as good as killed. It
// survives if all tests pass; then a test is missing, or the mutant does what the
// original does. Those are listed in equivalent.txt with the reason, and left out.
//
// Every test runs with -short. Let it have a processor of its own, or the ones that
// watch for modules that hang will take a busy machine for a fault.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutate: ")
	var (
		pattern = flag.String("run", "", "try only mutants whose line in -list matches this regular `expression`")
		sample  = flag.Int("n", 0, "try only this `number` of mutants, chosen at random; 0: all")
		seed    = flag.Uint64("seed", 1, "of that choice")
		list    = flag.Bool("list", false, "list the mutants, and try none")
		record  = flag.String("o", "", "write what became of each mutant to this `file`, and do not try again those that are in it")
		limit   = flag.Duration("timeout", time.Minute, "time limit for the tests of one package")
		skip    = flag.String("skip", "", "leave out the tests whose names match this regular `expression`, as go test -skip")
		wrapper = flag.String("exec", "", "run test binaries with this `command`, as go test -exec; such as \"prlimit --as=8000000000\"")
	)
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("unexpected argument %q", flag.Arg(0))
	}
	wanted, err := regexp.Compile(*pattern)
	if err != nil {
		log.Fatal(err)
	}
	mutants, err := find(".")
	if err != nil {
		log.Fatal(err)
	}
	known, err := equivalents()
	if err != nil {
		log.Fatal(err)
	}
	mutants = slices.DeleteFunc(mutants, func(m mutant) bool { return known[m.change()] > 0 || !wanted.MatchString(m.String()) })
	if *sample > 0 {
		rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
		mutants = mutants[:min(*sample, len(mutants))]
		slices.SortFunc(mutants, compare)
	}
	if *list {
		for _, m := range mutants {
			fmt.Println(m)
		}
		return
	}
	tester, err := newTester(*limit, *skip, *wrapper)
	if err != nil {
		log.Fatal(err)
	}
	defer tester.close()
	if err := run(tester, mutants, *record); err != nil {
		tester.close()
		log.Fatal(err)
	}
}

// run tries the mutants that the file record does not know, and adds them to it.
func run(tester *tester, mutants []mutant, record string) error {
	known := make(map[string]verdict)
	var out io.Writer = io.Discard
	if record != "" {
		f, err := os.OpenFile(record, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
		if err != nil {
			return err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			if v, m, ok := strings.Cut(lines.Text(), "\t"); ok {
				known[m] = verdict(v)
			}
		}
		if err := lines.Err(); err != nil {
			return err
		}
		out = f
	}
	count := make(map[verdict]int)
	var survivors []mutant
	for i, m := range mutants {
		v, ok := known[m.key()]
		if !ok {
			var err error
			if v, err = tester.try(m); err != nil {
				return err
			}
			fmt.Fprintf(out, "%s\t%s\n", v, m.key())
			fmt.Fprintf(os.Stderr, "%d/%d %s: %s\n", i+1, len(mutants), v, m)
		}
		count[v]++
		if v == survived {
			survivors = append(survivors, m)
		}
	}
	fmt.Printf("%d mutants: %d killed, %d timed out, %d did not compile, %d survived\n",
		len(mutants), count[killed], count[timedOut], count[broken], count[survived])
	for _, m := range survivors {
		fmt.Printf("\n%s:%d\n%s", m.file, m.line, m.diff())
	}
	return nil
}
