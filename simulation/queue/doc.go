// Package queue is the queueing theory behind a timer module, and its check by
// simulation on package simulation.
//
// Two queues matter to a timer module, and they differ.
//
//	             timers outstanding                  actions to perform
//	START_TIMER ┌─────────────────┐  expire   ┌ ─ ┬───┬───┬───┐  ┌────────┐
//	───────────▶│ every one runs  │──────────▶        c   b   a  │ server │──▶
//	 λ a second │ at once: M/G/∞  │           └ ─ ┴───┴───┴───┘  └────────┘
//	            └─────────────────┘            a goroutine drains: M/M/1
//	 mean λ·T, Poisson; no limit              mean R/(1-R); R < 1, or it grows
//
// The outstanding timers are an M/G/∞ queue ([MGInf]): every timer is served at
// once, by time itself. Their mean number is λ·T for λ starts a second and a mean
// life of T, whatever the law of the lives (Little's result, in section 3.2 of
// Varghese and Lauck 1987, section III.B of 1997), their number is Poisson, and
// there is no rate at which they get out of hand. What leaves an M/G/∞ queue is a
// Poisson stream again.
//
// So the expiries come to the one that performs the actions, one after another,
// as a Poisson stream; if its times are exponential, this is an M/M/1 queue
// ([MM1]), and M/M/1/K ([MM1K]) where its room is bounded and what finds no room
// is lost. This is where the sizing of message queues, below, meets timers.
//
// # Symbols
//
// I is the mean time between arrivals and A that of a service; R = A/I is the
// utilisation. Times are [time.Duration], rates are a [Rate], in events a second.
//
//	              mean number  mean time    P(at least k)
//	in system     R/(1-R)      A/(1-R)      R^k
//	in queue      R²/(1-R)     R·A/(1-R)
//
// Number = rate · time holds for the system and for the queue alone: Little's law,
// for every queue in a steady state and without any assumption on its laws. An
// [Observation] of a simulated queue has it as a check.
//
// # The article
//
// The formulas for M/M/1 are those of David Kalinsky, "How to size message
// queues", whose four worked examples are this package's. Where it errs, or lost
// a symbol on its way to the web:
//
//   - The length and the delay "in the queue" of its formulas 1 and 2 are those in
//     the system, service included. Its last example says that 1.2 ms pass until
//     processing starts: it is done by then, and starts after 0.9 ms.
//   - Its figure says that with one arrival expected there are 0 with probability
//     33 %, and 1 with the same. Both are 1/e, 37 %.
//   - A root is lost in example 3, which must read A < √0.01 · 25 ms, and the sign
//     < and the 10 in examples 2 and 3: R⁶ = A⁶/(30 ms)⁶ < 10⁻⁶. So is the < in
//     "steep for N < E", of the Poisson law.
//   - The letter μ is lost in example 4: its 400 s and 300 s are microseconds, as
//     the answer in milliseconds shows.
//   - A queue of bounded capacity is judged by the unbounded one's P(at least
//     capacity+1). That is on the safe side: what is lost lengthens no queue. For
//     example 2 the loss is 9.0e-7, not 1e-6, and for example 3 0.9 %, not 1 %.
//
// # Simulation
//
// [Model.Simulate] runs a queue and measures all of this with intervals from
// batch means: the run is cut into batches so long that their means are nearly
// independent, and Student's t gives the interval of their mean. Those at the
// start, when the queue is still emptier than in the long run, are left out.
//
// # References
//
//	D. Kalinsky: How to size message queues.
//	L. Kleinrock: Queueing Systems, volume 1: Theory. Wiley, 1975.
//	J. D. C. Little: A proof for the queuing formula L = λW. Operations Research 9(3), 1961.
//	A. M. Law, W. D. Kelton: Simulation Modeling and Analysis. McGraw-Hill (batch means).
package queue
