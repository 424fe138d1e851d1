//! What a party knows of a placement of its men, by the moves that are left.

/// How many moves are left: plies in all, and those of the party's men of each color.
#[derive(Clone, Copy)]
pub(super) struct Left {
    pub(super) plies: u16,
    pub(super) own: [i16; 2],
}

impl Left {
    /// All but the moves of the patient color, which are given besides.
    pub(super) fn code(self, patient: Option<usize>) -> (u128, i16) {
        let code = |own: i16| own as u16 as u128;
        let plies = (self.plies as u128) << 32;
        match patient {
            None => (plies | code(self.own[0]) << 16 | code(self.own[1]), 0),
            Some(c) => (plies | code(self.own[1 - c]), self.own[c]),
        }
    }
}

/// What is known of a placement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// There is no way on.
    Dead,
    /// It was given up when so many doublings of moves had been made, which counts as yes.
    Open(u8),
    /// There is a way on.
    Able,
}

/// What is known of a placement for every number of moves that the party's men of the patient color have left.
///
/// *Admissible*: whoever may wait may also move less, so what cannot be done in so many moves cannot be done in
/// fewer, and what can be done in so many can be done with more.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// With so many and fewer there is no way on.
    dead: i16,
    /// With so many and more there is one.
    able: i16,
    /// With so many and more it was given up...
    given_up: i16,
    /// ...after so many doublings of moves.
    level: u8,
}

impl Known {
    pub(super) const NOTHING: Self =
        Self { dead: i16::MIN, able: i16::MAX, given_up: i16::MAX, level: 0 };

    pub(super) const fn answer(self, own: i16, level: u8) -> Option<Answer> {
        if own <= self.dead {
            Some(Answer::Dead)
        } else if own >= self.able {
            Some(Answer::Able)
        } else if own >= self.given_up && self.level + 1 >= level {
            Some(Answer::Open(self.level))
        } else {
            None
        }
    }

    pub(super) fn note(&mut self, own: i16, answer: Answer) {
        match answer {
            Answer::Dead => self.dead = self.dead.max(own),
            Answer::Able => self.able = self.able.min(own),
            Answer::Open(level) => (self.given_up, self.level) = (own, level),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_moves_do_no_more_and_more_moves_no_less() {
        let mut known = Known::NOTHING;
        known.note(3, Answer::Dead);
        known.note(7, Answer::Able);
        let answers: Vec<_> = (2..=8).map(|own| known.answer(own, 9)).collect();
        let (dead, able) = (Some(Answer::Dead), Some(Answer::Able));
        assert!(answers == [dead, dead, None, None, None, able, able]);
    }

    #[test]
    fn what_was_given_up_is_tried_again_with_much_more_effort() {
        let mut known = Known::NOTHING;
        known.note(5, Answer::Open(8));
        assert!(known.answer(5, 9) == Some(Answer::Open(8)));
        assert!(known.answer(5, 10).is_none());
        assert!(known.answer(4, 8).is_none(), "fewer moves may be refuted with less");
    }

    #[test]
    fn the_patient_color_is_left_out_of_the_key() {
        let left = |own| Left { plies: 10, own };
        assert_eq!(left([3, 5]).code(Some(0)).0, left([4, 5]).code(Some(0)).0);
        assert_ne!(left([3, 5]).code(Some(0)).0, left([3, 4]).code(Some(0)).0);
        assert_ne!(left([3, 5]).code(None).0, left([4, 5]).code(None).0);
    }
}
