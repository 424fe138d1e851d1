//! Problems of the search of positions: any start, one target, and the order of turns.

use super::board::{CastlingRights, Man, ManKind, SearchPosition};
use super::turns::Turns;
use crate::problem::Length;
use crate::problem::diagram::Diagram;
use umbrail_chess::geometry::{Color, Square};
use umbrail_chess::{Piece, Position, Role};

/// A problem: all games of a number of plies from a position to a placement.
#[derive(Clone, Copy)]
pub struct PositionProblem {
    /// Position from which the games start.
    pub start: Position,
    /// Placement at the end of the games.
    pub diagram: Diagram,
    /// Number of plies.
    pub plies: u16,
    /// Interpretation of `plies`: whether shorter games of the same parity count.
    pub length: Length,
    /// Order of turns.
    pub turns: Turns,
}

impl PositionProblem {
    /// Returns the lengths of games that count, shortest first.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = u16> {
        let series = self.turns.is_series();
        let least = match self.length {
            Length::Exact => self.plies,
            // A series mover moves on alone, so every shorter length has the same side to move.
            Length::Parity if series => (1 + u16::from(self.turns.has_help())).min(self.plies),
            Length::Parity => self.plies % 2,
        };
        let step = if series { 1 } else { 2 };
        (least..=self.plies).step_by(step)
    }
}

/// Placement at the end of the games, for comparison.
#[derive(Clone, Debug)]
pub(crate) struct TargetBoard {
    /// Men by square.
    pub men: [Man; 64],
    /// For each side, 1 on each of its squares.
    pub squares: [[u8; 64]; 2],
    /// Least number of men of each side.
    pub counts: [u16; 2],
    /// What the target leaves open, if anything.
    wild: Option<Box<OpenTarget>>,
}

/// Squares and men of a target that are not determined.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OpenTarget {
    /// For each square, a bit for each code of a man that may stand there; no bit where `men` decides.
    allowed: [u64; 64],
    /// Men that stand on any squares that are otherwise empty.
    added: Vec<Man>,
    /// Men whose color is open.
    either: u16,
    /// For each side, the squares that hold one of its men, with the same bits.
    of_side: [Vec<(Square, u64)>; 2],
}

impl TargetBoard {
    /// Returns the target with these men.
    pub(crate) fn new(men: [Man; 64]) -> Self {
        let of = |color: Color| men.map(|man| u8::from(!man.is_none() && man.color() == color));
        let squares = Color::ALL.map(of);
        let counts = squares.map(|own| own.iter().map(|&one| u16::from(one)).sum());
        Self { men, squares, counts, wild: None }
    }

    /// Returns a target on some squares of which one of several men may stand, and with men on any empty squares.
    pub(crate) fn open(
        mut men: [Man; 64],
        choices: &[(Square, Vec<Man>)],
        added: Vec<Man>,
    ) -> Self {
        let mut allowed = [0; 64];
        for (square, choice) in choices {
            allowed[square.index()] = choice.iter().fold(0, |all, man| all | 1 << man.code());
            men[square.index()] = Man::NONE;
        }
        let mut target = Self::new(men);
        let mut either = 0;
        let mut of_side = [vec![], vec![]];
        for (square, choice) in choices {
            let has = |color: Color| choice.iter().any(|man| man.color() == color);
            match (has(Color::White), has(Color::Black)) {
                (true, true) => either += 1,
                (white, _) => {
                    let side = usize::from(!white);
                    target.counts[side] += 1;
                    of_side[side].push((*square, allowed[square.index()]));
                }
            }
        }
        for man in &added {
            target.counts[man.color().index()] += 1;
        }
        target.wild = Some(Box::new(OpenTarget { allowed, added, either, of_side }));
        target
    }

    /// Returns true if men have reached the target.
    #[inline]
    pub(crate) fn is_reached(&self, men: &[Man; 64]) -> bool {
        match &self.wild {
            None => *men == self.men,
            Some(wild) => self.is_reached_openly(men, wild),
        }
    }

    fn is_reached_openly(&self, men: &[Man; 64], wild: &OpenTarget) -> bool {
        let mut added = wild.added.clone();
        let fits = |(at, man): (usize, &Man)| match wild.allowed[at] {
            0 if *man == self.men[at] => true,
            0 if self.men[at].is_none() => {
                let found = added.iter().position(|one| one == man);
                found.map(|at| added.swap_remove(at)).is_some()
            }
            0 => false,
            allowed => !man.is_none() && allowed >> man.code() & 1 == 1,
        };
        men.iter().enumerate().all(fits) && added.is_empty()
    }

    /// Returns the number of men whose color is open.
    #[inline]
    pub(crate) fn either(&self) -> u16 {
        self.wild.as_ref().map_or(0, |wild| wild.either)
    }

    /// Returns the men of a side with their squares; several men where any of them may stand.
    pub(crate) fn army(&self, color: Color) -> Vec<(Vec<Man>, Square)> {
        let men = Square::all().map(|square| (self.men[square.index()], square));
        let own = men.filter(|(man, _)| !man.is_none() && man.color() == color);
        let mut army: Vec<(Vec<Man>, Square)> =
            own.map(|(man, square)| (vec![man], square)).collect();
        for (square, bits) in self.wild.iter().flat_map(|wild| &wild.of_side[color.index()]) {
            let all = (0..ManKind::MAX).map(|at| Man::of(color, ManKind::at(at)));
            army.push((all.filter(|man| bits >> man.code() & 1 == 1).collect(), *square));
        }
        army
    }

    /// Returns true if some squares or men are open.
    pub(crate) fn is_open(&self) -> bool {
        self.wild.is_some()
    }

    /// Returns for each side the number of its squares that do not hold their man yet.
    #[inline]
    pub(crate) fn missing(&self, men: &[Man; 64]) -> [u8; 2] {
        let (mut white, mut black) = (0, 0);
        let [of_white, of_black] = &self.squares;
        let wanted = self.men.iter().zip(men);
        for (((wanted, man), is_white), is_black) in wanted.zip(of_white).zip(of_black) {
            let wrong = u8::from(wanted != man);
            white += wrong & is_white;
            black += wrong & is_black;
        }
        let Some(wild) = &self.wild else { return [white, black] };
        let open = |side: usize| {
            let wrong = |&&(square, bits): &&(Square, u64)| {
                let man = men[square.index()];
                man.is_none() || bits >> man.code() & 1 == 0
            };
            wild.of_side[side].iter().filter(wrong).count() as u8
        };
        [white + open(0), black + open(1)]
    }

    /// Returns the number of squares that do not hold a man of their kind yet, of either color.
    pub(crate) fn missing_kinds(&self, men: &[Man; 64]) -> u16 {
        let is_missing = |(wanted, man): (&Man, &Man)| {
            !wanted.is_none() && wanted != man && (man.is_none() || wanted.flipped() != *man)
        };
        self.men.iter().zip(men).filter(|&pair| is_missing(pair)).count() as u16
    }
}

impl From<&Diagram> for TargetBoard {
    fn from(diagram: &Diagram) -> Self {
        let mut men = [Man::NONE; 64];
        for square in Square::all() {
            men[square.index()] = diagram.at(square).map_or(Man::NONE, Man::from);
        }
        Self::new(men)
    }
}

/// Returns a position of orthodox chess as the search has it.
pub(crate) fn start_of<Extra: Copy + Default>(position: &Position) -> SearchPosition<Extra> {
    let mut start = SearchPosition::empty(position.turn(), Extra::default());
    for color in Color::ALL {
        for role in Role::ALL {
            for square in position.pieces(color, role) {
                start.put(Man::from(Piece { color, role }), square);
            }
        }
    }
    let mut rights = 0;
    for color in Color::ALL {
        for kingside in [true, false] {
            if position.castling_rook(color, kingside).is_some() {
                rights |= CastlingRights::one(color, kingside).0;
            }
        }
    }
    start.rights = CastlingRights(rights);
    start.en_passant = position.en_passant();
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_lengths_have_the_same_side_to_move() {
        let (start, diagram) = (Position::startpos(), Diagram::initial());
        let (plies, length, turns) = (5, Length::Parity, Turns::Alternating);
        let problem = PositionProblem { start, diagram, plies, length, turns };
        assert_eq!(problem.lengths().collect::<Vec<_>>(), [1, 3, 5]);
        let exact = PositionProblem { length: Length::Exact, ..problem };
        assert_eq!(exact.lengths().collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn missing_men_are_counted_by_side() {
        let target = TargetBoard::from(&Diagram::initial());
        assert_eq!(target.counts, [16, 16]);
        let start: SearchPosition<()> = start_of(&Position::startpos());
        assert_eq!(target.missing(start.men()), [0, 0]);
        let after = Position::startpos()
            .after(umbrail_chess::parse_san(&Position::startpos(), "e4").unwrap());
        let after: SearchPosition<()> = start_of(&after);
        assert_eq!(target.missing(after.men()), [1, 0]);
    }
}
