//! Results of a subset relaxation for one placement, by the moves left.

/// Moves left: plies in total, and moves of the subset's pieces by color.
#[derive(Clone, Copy)]
pub(crate) struct MovesLeft {
    pub(crate) plies: u16,
    pub(crate) own: [i16; 2],
}

impl MovesLeft {
    /// Splits the moves left into a code that must be equal for one result to imply another, and
    /// the slack that may differ. `waits` marks the colors whose outside pieces may move.
    #[inline]
    pub(crate) fn part(self, waits: [bool; 2]) -> (u128, Slack) {
        let code = |amount: i16| u64::from(amount as u16);
        let mut room = Slack([0; 3]);
        let mut same = 0u64;
        for c in [0, 1] {
            if waits[c] {
                room.0[c] = self.own[c];
            } else {
                same |= code(self.own[c]) << (16 * c);
            }
        }
        if waits == [true; 2] {
            room.0[2] = self.plies as i16;
        } else {
            same |= u64::from(self.plies) << 32;
        }
        (u128::from(same), room)
    }
}

/// Moves of each color and plies, where larger values never hurt.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slack([i16; 3]);

impl Slack {
    const LEAST: Self = Self([i16::MIN; 3]);
    const MOST: Self = Self([i16::MAX; 3]);

    /// Returns true if every component is at least that of `other`.
    #[inline]
    fn covers(self, other: Self) -> bool {
        self.0[0] >= other.0[0] && self.0[1] >= other.0[1] && self.0[2] >= other.0[2]
    }
}

/// Result for a placement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feasibility {
    /// There is no continuation.
    Infeasible,
    /// The search was abandoned after this number of doublings of moves; counts as feasible.
    Unknown(u8),
    /// There is a continuation.
    Feasible,
}

/// Number of frontiers kept for each placement.
const KEPT: usize = 3;

/// Results for one placement, for any slack.
///
/// *Admissible*: a color whose outside pieces may move can also make fewer subset moves. A
/// placement that is infeasible with some number of moves is therefore infeasible with fewer, and
/// one that is feasible is feasible with more. If both colors may wait, this also holds for plies:
/// a line ends when the subset has finished its routes, and the remaining plies are waiting moves.
#[derive(Clone, Copy)]
pub(crate) struct CacheEntry {
    /// Infeasible with at most one of these.
    dead: [Slack; KEPT],
    /// Feasible with at least one of these.
    able: [Slack; KEPT],
    /// Slack from which the search was abandoned...
    given_up: Slack,
    /// ...after this number of doublings of moves.
    level: u8,
}

impl CacheEntry {
    pub(crate) const NOTHING: Self = Self {
        dead: [Slack::LEAST; KEPT],
        able: [Slack::MOST; KEPT],
        given_up: Slack::MOST,
        level: 0,
    };

    /// Returns the greatest slacks known to be infeasible.
    pub(crate) fn dead(&self) -> impl Iterator<Item = Slack> {
        self.dead.into_iter().filter(|&room| room != Slack::LEAST)
    }

    #[inline]
    pub(crate) fn answer(&self, room: Slack, level: u8) -> Option<Feasibility> {
        if self.dead.iter().any(|dead| dead.covers(room)) {
            Some(Feasibility::Infeasible)
        } else if self.able.iter().any(|&able| room.covers(able)) {
            Some(Feasibility::Feasible)
        } else if room.covers(self.given_up) && self.level + 1 >= level {
            Some(Feasibility::Unknown(self.level))
        } else {
            None
        }
    }

    pub(crate) fn note(&mut self, room: Slack, answer: Feasibility) {
        match answer {
            Feasibility::Infeasible => keep(&mut self.dead, room, |new, old| new.covers(old)),
            Feasibility::Feasible => keep(&mut self.able, room, |new, old| old.covers(new)),
            Feasibility::Unknown(level) => (self.given_up, self.level) = (room, level),
        }
    }
}

/// Replaces a frontier that the new one implies, otherwise the oldest.
fn keep(kept: &mut [Slack; KEPT], new: Slack, prints_more: impl Fn(Slack, Slack) -> bool) {
    let place = kept.iter().position(|&old| prints_more(new, old)).unwrap_or(KEPT - 1);
    kept[..=place].rotate_right(1);
    kept[0] = new;
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn room(white: i16, plies: i16) -> Slack {
        Slack([white, 0, plies])
    }

    #[test]
    fn less_room_does_no_more_and_more_room_no_less() {
        let mut known = CacheEntry::NOTHING;
        known.note(room(3, 20), Feasibility::Infeasible);
        known.note(room(7, 20), Feasibility::Feasible);
        let answers: Vec<_> = (2..=8).map(|own| known.answer(room(own, 20), 9)).collect();
        let (dead, able) = (Some(Feasibility::Infeasible), Some(Feasibility::Feasible));
        assert!(answers == [dead, dead, None, None, None, able, able]);
        assert!(known.answer(room(2, 22), 9).is_none(), "more plies may help");
        assert!(known.answer(room(3, 18), 9) == dead);
        assert!(known.answer(room(7, 22), 9) == able);
        assert!(known.answer(room(8, 18), 9).is_none(), "fewer plies may be too few");
    }

    #[test]
    fn a_stronger_frontier_replaces_a_weaker_one() {
        let mut known = CacheEntry::NOTHING;
        known.note(room(1, 30), Feasibility::Infeasible);
        (2..=9).for_each(|own| known.note(room(own, 10), Feasibility::Infeasible));
        assert!(known.answer(room(1, 30), 0) == Some(Feasibility::Infeasible));
        assert!(known.answer(room(9, 10), 0) == Some(Feasibility::Infeasible));
        assert!(known.answer(room(2, 30), 0).is_none());
    }

    #[test]
    fn what_was_given_up_is_tried_again_with_much_more_effort() {
        let mut known = CacheEntry::NOTHING;
        known.note(room(5, 0), Feasibility::Unknown(8));
        assert!(known.answer(room(5, 0), 9) == Some(Feasibility::Unknown(8)));
        assert!(known.answer(room(5, 0), 10).is_none());
        assert!(known.answer(room(4, 0), 8).is_none(), "fewer moves may be refuted with less");
    }

    #[test]
    fn a_color_that_cannot_wait_needs_equal_moves() {
        let part = |own, plies, waits| MovesLeft { plies, own }.part(waits);
        assert_eq!(part([3, 5], 10, [true, false]).0, part([4, 5], 10, [true, false]).0);
        assert_ne!(part([3, 5], 10, [true, false]).0, part([3, 4], 10, [true, false]).0);
        assert_ne!(part([3, 5], 10, [true, false]).0, part([3, 5], 12, [true, false]).0);
        assert_eq!(part([3, 5], 10, [true; 2]).0, part([2, 4], 12, [true; 2]).0);
        assert_ne!(part([3, 5], 10, [false; 2]).0, part([4, 5], 10, [false; 2]).0);
    }
}
