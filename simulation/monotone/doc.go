// Package monotone uses Scheme 4 as a priority queue, for shortest paths and
// spanning trees with whole-numbered weights (Varghese and Lauck 1997, section
// IX).
//
// The basic wheel is a bucket sort spread over time. As a priority queue it asks
// that the queue be bounded and monotone: whatever is inserted lies within Max of
// the least element taken out last, and not below it. Then a circular array as
// long as the largest weight does, instead of one as long as the longest path.
//
// # Shortest paths
//
// [Dijkstra] is a simulation. A wave runs from the source along every edge, at a
// tick for each unit of weight; a vertex is as far away as the time when the wave
// arrives. An event is an arrival, and a shorter way found later cancels it. The
// queue is monotone since time is.
//
//	tick   0    1    2    3    4    5         largest weight 3:
//	       S ───3──────── b                   three slots, however long
//	       └──1──a ──1──c ───3─────────d      the paths are
//
// The text asks for an array of size Max. If the slot of the minimum is in use
// while an element that is Max greater is inserted, it takes Max+1 slots, as in
// Dial's algorithm. Scheme 4 here empties the slot of a tick before the first
// action of that tick runs, so that Max slots are enough after all.
//
// # Spanning trees
//
// The paper names Prim's algorithm beside Dijkstra's. Its queue is bounded, for
// all elements are weights from 0 to Max, but it is not monotone: over an edge of
// weight 5 the tree may come to a vertex with an edge of weight 1, less than the
// last minimum. Then the pointer must back up, in the worst case over the whole
// array, as the same section says of queues that are not monotone.
//
// A clock cannot back up; [Prim] lets it go once around. The array has Max+1
// slots, one for each weight, and a turn of it passes all weights in order. When
// an element is inserted at or behind the pointer, what comes up for the rest of
// the turn waits for another turn, and in the next turn the order holds again.
//
// # Costs
//
// With E edges, V vertices, weights up to Max and the longest of all shortest
// paths D:
//
//	Dijkstra   O(V + E + Max), and O(log Max) for each tick with an arrival, D at most
//	Prim       O((V + E) · log Max) if the weights that it takes never fall, and
//	           O(V) more for each time that they do
//
// Empty slots cost nothing: the bitmap of the wheel leads over them.
package monotone
