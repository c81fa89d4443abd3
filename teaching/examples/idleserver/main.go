// Idleserver is a TCP server that closes idle connections: every connection has
// one timer of the facility, which each packet puts off. A load client, in a
// process of its own, holds the connections open, talks on most of them as fast
// as it can, and stays silent on the others, which the server is to close.
//
//	go run ./teaching/examples/idleserver
//	go run ./teaching/examples/idleserver -deadline     # with SetReadDeadline instead
//
// It shows its figures every half second and ends by itself.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/timerfacility/timer/facility"
)

func main() {
	if runAsClient() {
		return
	}
	connections := flag.Int("connections", 2000, "connections; each takes a file descriptor here and one in the client")
	silent := flag.Int("silent", 200, "connections on which the client says nothing")
	idle := flag.Duration("idle", 1500*time.Millisecond, "idle timeout")
	duration := flag.Duration("duration", 4*time.Second, "how long to talk")
	deadline := flag.Bool("deadline", false, "use SetReadDeadline instead of the facility")
	flag.Parse()
	if *connections < 1 || *silent < 0 || *silent > *connections {
		log.Fatal("idleserver: a flag is out of its range")
	}
	if err := run(*connections, *silent, *idle, *duration, *deadline); err != nil {
		log.Fatal(err)
	}
}

func run(connections, silent int, idle, duration time.Duration, deadline bool) error {
	s := &server{idle: idle}
	if !deadline {
		f, err := facility.New(facility.Config{})
		if err != nil {
			return err
		}
		defer f.Close()
		s.timers = f
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	served := make(chan bool)
	go func() {
		s.serve(l)
		close(served)
	}()
	c, err := startClient(load{address: l.Addr().String(), connections: connections, silent: silent, talkers: 8})
	if err != nil {
		return err
	}
	begin, before := time.Now(), s.echoes.Load()
	for time.Since(begin) < duration {
		time.Sleep(min(500*time.Millisecond, duration))
		line := fmt.Sprintf("%5.1f s  %6d connections  %7.0f echoes/s  %5d closed as idle",
			time.Since(begin).Seconds(), s.open.Load(), float64(s.echoes.Load()-before)/time.Since(begin).Seconds(), s.closedIdle.Load())
		if s.timers != nil {
			stats := s.timers.Stats()
			line += fmt.Sprintf("  %6d timers  %9d resets  %5d wake-ups", s.timers.Len(), stats.Resets, stats.WakeUps)
		}
		fmt.Println(line)
	}
	r, err := c.stop()
	if err != nil {
		return err
	}
	l.Close()
	<-served
	fmt.Printf("\n%d of %d silent connections were closed, %v to %v after they had been opened; the timeout is %v\n",
		r.Closed, silent, r.Earliest.Round(100*time.Microsecond), r.Latest.Round(100*time.Microsecond), idle)
	fmt.Printf("%d of %d talking connections were closed, after %d echoes\n", r.Broken, connections-silent, r.Echoes)
	return nil
}

// A client is a process that runs a load.
type client struct {
	cmd   *exec.Cmd
	out   *bufio.Reader
	stdin interface{ Close() error }
}

// The environment variable in which the client process finds its load.
const clientEnv = "IDLESERVER_CLIENT"

// startClient starts a client and waits until it has its connections.
func startClient(l load) (*client, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), clientEnv+"="+fmt.Sprintf("%s %d %d %d", l.address, l.connections, l.silent, l.talkers))
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &client{cmd, bufio.NewReader(stdout), stdin}
	if line, err := c.out.ReadString('\n'); err != nil {
		return nil, fmt.Errorf("the client did not connect: %q, %w", line, cmd.Wait())
	}
	return c, nil
}

// stop ends the client.
func (c *client) stop() (r loadResult, err error) {
	c.stdin.Close()
	err = json.NewDecoder(c.out).Decode(&r)
	if e := c.cmd.Wait(); err == nil {
		err = e
	}
	return r, err
}

// runAsClient runs the load that startClient asks for, until standard input
// ends. It is false in a process that is not a client.
func runAsClient() bool {
	env := os.Getenv(clientEnv)
	if env == "" {
		return false
	}
	var l load
	if _, err := fmt.Sscan(env, &l.address, &l.connections, &l.silent, &l.talkers); err != nil {
		log.Fatal("client: ", strconv.Quote(env), ": ", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		os.Stdin.Read(make([]byte, 1))
		cancel()
	}()
	r, err := l.run(ctx, func() { fmt.Println("connected") })
	if err != nil {
		log.Fatal("client: ", err)
	}
	json.NewEncoder(os.Stdout).Encode(r)
	return true
}
