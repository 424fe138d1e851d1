//! Precedence graph: at most 128 events, and disjunctions of orders.

/// An event of a game: a first move, an arrival, a death. Events with one number are one move.
pub(crate) type Event = u8;

/// Maximum number of events in one graph.
pub(crate) const EVENTS_MAX: usize = 128;

/// Constraint "`first.0` before `first.1`, or `second.0` before `second.1`".
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disjunction {
    first: (Event, Event),
    second: (Event, Event),
}

/// Known orders. An edge means "before", except along one piece's own path, where it may mean "not
/// after". No cycle consists of such edges alone, so every cycle is a contradiction.
#[derive(Debug)]
pub(crate) struct PrecedenceGraph {
    after: [u128; EVENTS_MAX],
    /// All events after an event, filled by [`PrecedenceGraph::close`].
    reach: [u128; EVENTS_MAX],
    count: usize,
    open: Vec<Disjunction>,
    /// Disjunctions: lists of orders, at least one of which holds; each list ends with `END`.
    any: Vec<(Event, Event)>,
}

/// Terminator of a list of alternatives.
const END: (Event, Event) = (Event::MAX, Event::MAX);

impl Default for PrecedenceGraph {
    fn default() -> Self {
        Self {
            after: [0; EVENTS_MAX],
            reach: [0; EVENTS_MAX],
            count: 0,
            open: Vec::new(),
            any: Vec::new(),
        }
    }
}

impl PrecedenceGraph {
    /// Removes everything.
    pub(crate) fn clear(&mut self) {
        self.after[..self.count].fill(0);
        self.count = 0;
        self.open.clear();
        self.any.clear();
    }

    /// Adds an event, and returns it; `None` if the graph is full.
    pub(crate) fn event(&mut self) -> Option<Event> {
        if self.count >= EVENTS_MAX {
            return None;
        }
        self.after[self.count] = 0;
        self.count += 1;
        Some((self.count - 1) as Event)
    }

    /// Adds "`first` before `second`". Equal events are ignored: they meet in one move (a capture,
    /// or castling).
    #[inline]
    pub(crate) fn before(&mut self, first: Event, second: Event) {
        if first != second {
            self.after[usize::from(first)] |= 1 << second;
        }
    }

    /// Adds the disjunction of two orders.
    #[inline]
    pub(crate) fn either(&mut self, first: (Event, Event), second: (Event, Event)) {
        if first.0 != first.1 && second.0 != second.1 {
            self.open.push(Disjunction { first, second });
        }
    }

    /// Adds the disjunction of several orders.
    pub(crate) fn any_of(&mut self, orders: &[(Event, Event)]) {
        if orders.iter().all(|(first, second)| first != second) {
            self.any.extend_from_slice(orders);
            self.any.push(END);
        }
    }

    /// Adds the last possible order of each list; returns `None` if a list has no possible order.
    fn decide_lists(&mut self) -> Option<bool> {
        let mut news = false;
        let any = std::mem::take(&mut self.any);
        for list in any.split(|&precedence| precedence == END).filter(|list| !list.is_empty()) {
            if list.iter().any(|&(first, second)| self.reaches(first, second)) {
                continue;
            }
            let mut left = list.iter().filter(|&&(first, second)| !self.reaches(second, first));
            match (left.next(), left.next()) {
                (None, _) => {
                    self.any = any;
                    return None;
                }
                (Some(&(first, second)), None) => {
                    self.before(first, second);
                    news = true;
                }
                _ => {}
            }
        }
        self.any = any;
        Some(news)
    }

    /// Decides all disjunctions that can be decided; returns false if the orders contradict each
    /// other.
    pub(crate) fn is_possible(&mut self) -> bool {
        loop {
            if !self.close() {
                return false;
            }
            let mut news = false;
            let mut open = std::mem::take(&mut self.open);
            open.retain(|either| {
                let known = |(a, b): (Event, Event)| self.reaches(a, b);
                let refuted = |(a, b): (Event, Event)| self.reaches(b, a);
                if known(either.first) || known(either.second) {
                    return false;
                }
                let add = match (refuted(either.first), refuted(either.second)) {
                    (false, false) => return true,
                    (true, _) => either.second,
                    (false, true) => either.first,
                };
                self.before(add.0, add.1);
                news = true;
                false
            });
            self.open = open;
            match self.decide_lists() {
                None => return false,
                Some(more) => news |= more,
            }
            if !news {
                return true;
            }
        }
    }

    /// Returns true if another event certainly lies between two events; valid after
    /// [`PrecedenceGraph::is_possible`].
    pub(crate) fn parts(&self, first: Event, last: Event) -> bool {
        let mut between = self.reach[usize::from(first)] & !(1 << last);
        while between != 0 {
            let event = between.trailing_zeros() as Event;
            if self.reaches(event, last) {
                return true;
            }
            between &= between - 1;
        }
        false
    }

    #[inline]
    fn reaches(&self, from: Event, to: Event) -> bool {
        self.reach[usize::from(from)] >> to & 1 != 0
    }

    /// Fills `reach` by depth-first search; returns false if there is a cycle.
    fn close(&mut self) -> bool {
        let (mut started, mut done) = (0u128, 0u128);
        let mut path = [0u8; EVENTS_MAX];
        for root in 0..self.count {
            if done >> root & 1 != 0 {
                continue;
            }
            let mut depth = 0;
            path[0] = root as u8;
            started |= 1 << root;
            loop {
                let event = usize::from(path[depth]);
                let next = self.after[event] & !done;
                if next & started != 0 {
                    return false;
                }
                if next != 0 {
                    let next = next.trailing_zeros();
                    depth += 1;
                    path[depth] = next as u8;
                    started |= 1 << next;
                    continue;
                }
                let mut all = self.after[event];
                let mut left = all;
                while left != 0 {
                    let later = left.trailing_zeros() as usize;
                    all |= self.reach[later];
                    // Events reached by a later event need no visit.
                    left &= left - 1;
                    left &= !self.reach[later];
                }
                self.reach[event] = all;
                started &= !(1 << event);
                done |= 1 << event;
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(events: usize) -> PrecedenceGraph {
        let mut graph = PrecedenceGraph::default();
        for _ in 0..events {
            graph.event().unwrap();
        }
        graph
    }

    #[test]
    fn circles_are_contradictions() {
        let mut graph = graph(4);
        for (a, b) in [(0, 1), (1, 2), (2, 3), (2, 2)] {
            graph.before(a, b);
        }
        assert!(graph.is_possible());
        assert!(graph.reaches(0, 3) && !graph.reaches(3, 0));
        graph.before(3, 1);
        assert!(!graph.is_possible());
    }

    #[test]
    fn alternatives_are_decided_by_what_is_known() {
        let mut graph = graph(6);
        graph.before(0, 1);
        graph.either((1, 0), (2, 3));
        graph.either((3, 2), (4, 5));
        assert!(graph.is_possible());
        assert!(graph.reaches(2, 3) && graph.reaches(4, 5));
        graph.either((3, 2), (5, 4));
        assert!(!graph.is_possible());
    }

    #[test]
    fn the_last_possible_order_of_a_disjunction_holds() {
        let mut graph = graph(6);
        graph.before(0, 1);
        graph.before(2, 3);
        graph.any_of(&[(1, 0), (3, 2), (4, 5)]);
        assert!(graph.is_possible() && graph.reaches(4, 5));
        graph.any_of(&[(1, 0), (5, 4)]);
        assert!(!graph.is_possible());
    }

    #[test]
    fn a_full_graph_takes_no_more_events() {
        let mut graph = graph(EVENTS_MAX);
        assert_eq!(graph.event(), None);
        graph.clear();
        assert_eq!(graph.event(), Some(0));
    }
}
