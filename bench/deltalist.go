package bench

// A deltaList is the callout list of UNIX before the report of Costello and
// Varghese (1995): one list in order of expiry, each callout with the ticks after
// the one before it, searched from the front by START and by STOP. It counts the
// callouts that a search skips, and those that a tick decrements.
//
// It is written for the measurement and is no timer module.
type deltaList struct {
	first       *callout
	skipped     int
	decremented int
}

type callout struct {
	next *callout
	c    int // ticks after the callout before; 0 or less if overdue
	id   int
}

// timeout is START: the callout runs after so many ticks.
func (l *deltaList) timeout(id, ticks int) {
	at := &l.first
	for ; *at != nil && (*at).c <= ticks; at = &(*at).next {
		l.skipped++
		if (*at).c > 0 { // an overdue callout is not ahead of the clock
			ticks -= (*at).c
		}
	}
	*at = &callout{next: *at, c: ticks, id: id}
	if next := (*at).next; next != nil {
		next.c -= ticks
	}
}

// untimeout is STOP: it searches for the callout.
func (l *deltaList) untimeout(id int) bool {
	for at := &l.first; *at != nil; at = &(*at).next {
		if (*at).id == id {
			if next := (*at).next; next != nil && (*at).c > 0 {
				next.c += (*at).c
			}
			*at = (*at).next
			return true
		}
		l.skipped++
	}
	return false
}

// hardclock is the half of a tick that interrupts: it decrements the overdue
// callouts and the first that is not.
func (l *deltaList) hardclock() {
	for p := l.first; p != nil; p = p.next {
		l.decremented++
		p.c--
		if p.c >= 0 {
			break
		}
	}
}

// softclock takes out the callouts that are due and gives their ids.
func (l *deltaList) softclock() (due []int) {
	for l.first != nil && l.first.c <= 0 {
		due = append(due, l.first.id)
		l.first = l.first.next
	}
	return due
}
