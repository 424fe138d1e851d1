//! What a party knows of a placement of its men, by the moves that are left.

/// How many moves are left: plies in all, and those of the party's men of each color.
#[derive(Clone, Copy)]
pub(crate) struct Left {
    pub(crate) plies: u16,
    pub(crate) own: [i16; 2],
}

impl Left {
    /// What of it must be equal for one thing to follow from another, as a code, and the room that may be more or
    /// less, when somebody else of these colors may move.
    #[inline]
    pub(crate) fn part(self, waits: [bool; 2]) -> (u128, Room) {
        let code = |amount: i16| u64::from(amount as u16);
        let mut room = Room([0; 3]);
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

/// Moves of each color and plies, as far as more of them never do harm.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Room([i16; 3]);

impl Room {
    const LEAST: Self = Self([i16::MIN; 3]);
    const MOST: Self = Self([i16::MAX; 3]);

    /// Whether there is no less of anything than in another one.
    #[inline]
    fn covers(self, other: Self) -> bool {
        self.0[0] >= other.0[0] && self.0[1] >= other.0[1] && self.0[2] >= other.0[2]
    }
}

/// What is known of a placement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// There is no way on.
    Dead,
    /// It was given up when so many doublings of moves had been made, which counts as yes.
    Open(u8),
    /// There is a way on.
    Able,
}

/// So many frontiers are kept of each placement.
const KEPT: usize = 3;

/// What is known of a placement, whatever room is left.
///
/// *Admissible*: a color that may wait may also move less, so what cannot be done in so many moves cannot be done in
/// fewer, and what can be done in so many can be done with more. When both may wait, the same holds for plies: a
/// line of play ends when the party has gone its ways, and what is left is waiting.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// With no more than one of these there is no way on.
    dead: [Room; KEPT],
    /// With no less than one of these there is one.
    able: [Room; KEPT],
    /// With no less than this it was given up...
    given_up: Room,
    /// ...after so many doublings of moves.
    level: u8,
}

impl Known {
    pub(crate) const NOTHING: Self = Self {
        dead: [Room::LEAST; KEPT],
        able: [Room::MOST; KEPT],
        given_up: Room::MOST,
        level: 0,
    };

    /// The most room with which there is no way on.
    pub(crate) fn dead(&self) -> impl Iterator<Item = Room> {
        self.dead.into_iter().filter(|&room| room != Room::LEAST)
    }

    #[inline]
    pub(crate) fn answer(&self, room: Room, level: u8) -> Option<Answer> {
        if self.dead.iter().any(|dead| dead.covers(room)) {
            Some(Answer::Dead)
        } else if self.able.iter().any(|&able| room.covers(able)) {
            Some(Answer::Able)
        } else if room.covers(self.given_up) && self.level + 1 >= level {
            Some(Answer::Open(self.level))
        } else {
            None
        }
    }

    pub(crate) fn note(&mut self, room: Room, answer: Answer) {
        match answer {
            Answer::Dead => keep(&mut self.dead, room, |new, old| new.covers(old)),
            Answer::Able => keep(&mut self.able, room, |new, old| old.covers(new)),
            Answer::Open(level) => (self.given_up, self.level) = (room, level),
        }
    }
}

/// Puts something new in the place of what says less, or else of the oldest.
fn keep(kept: &mut [Room; KEPT], new: Room, says_more: impl Fn(Room, Room) -> bool) {
    let place = kept.iter().position(|&old| says_more(new, old)).unwrap_or(KEPT - 1);
    kept[..=place].rotate_right(1);
    kept[0] = new;
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn room(white: i16, plies: i16) -> Room {
        Room([white, 0, plies])
    }

    #[test]
    fn less_room_does_no_more_and_more_room_no_less() {
        let mut known = Known::NOTHING;
        known.note(room(3, 20), Answer::Dead);
        known.note(room(7, 20), Answer::Able);
        let answers: Vec<_> = (2..=8).map(|own| known.answer(room(own, 20), 9)).collect();
        let (dead, able) = (Some(Answer::Dead), Some(Answer::Able));
        assert!(answers == [dead, dead, None, None, None, able, able]);
        assert!(known.answer(room(2, 22), 9).is_none(), "more plies may help");
        assert!(known.answer(room(3, 18), 9) == dead);
        assert!(known.answer(room(7, 22), 9) == able);
        assert!(known.answer(room(8, 18), 9).is_none(), "fewer plies may be too few");
    }

    #[test]
    fn what_says_more_takes_the_place_of_what_says_less() {
        let mut known = Known::NOTHING;
        known.note(room(1, 30), Answer::Dead);
        (2..=9).for_each(|own| known.note(room(own, 10), Answer::Dead));
        assert!(known.answer(room(1, 30), 0) == Some(Answer::Dead));
        assert!(known.answer(room(9, 10), 0) == Some(Answer::Dead));
        assert!(known.answer(room(2, 30), 0).is_none());
    }

    #[test]
    fn what_was_given_up_is_tried_again_with_much_more_effort() {
        let mut known = Known::NOTHING;
        known.note(room(5, 0), Answer::Open(8));
        assert!(known.answer(room(5, 0), 9) == Some(Answer::Open(8)));
        assert!(known.answer(room(5, 0), 10).is_none());
        assert!(known.answer(room(4, 0), 8).is_none(), "fewer moves may be refuted with less");
    }

    #[test]
    fn who_cannot_wait_must_have_equal_moves() {
        let part = |own, plies, waits| Left { plies, own }.part(waits);
        assert_eq!(part([3, 5], 10, [true, false]).0, part([4, 5], 10, [true, false]).0);
        assert_ne!(part([3, 5], 10, [true, false]).0, part([3, 4], 10, [true, false]).0);
        assert_ne!(part([3, 5], 10, [true, false]).0, part([3, 5], 12, [true, false]).0);
        assert_eq!(part([3, 5], 10, [true; 2]).0, part([2, 4], 12, [true; 2]).0);
        assert_ne!(part([3, 5], 10, [false; 2]).0, part([4, 5], 10, [false; 2]).0);
    }
}
