//! Assumptions of a case about pieces of a strategy, beyond their routes.

use crate::problem::piece::{PieceId, PieceMask};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use umbrail_chess::geometry::{Bitboard, Square};
use umbrail_control::FastHasher;

/// Maximum number of visits in one case.
pub(crate) const VISITS_MAX: usize = 4;

/// Maximum number of entries "these pieces never stop on these squares" in one case.
pub(crate) const AVOIDS_MAX: usize = 8;

/// First stop of a piece on a square between two milestones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Visit {
    /// The visiting piece.
    pub piece: PieceId,
    /// Number of the leg that the visit splits; earlier visits of the piece count as legs. On
    /// earlier legs the piece never stops on the square.
    pub leg: u8,
    /// Visited square; no leg of the piece begins or ends there.
    pub square: Square,
}

/// A case of a strategy. The cases "this piece moves" and "it does not" exclude each other and
/// cover all games. So do "its first stop there is on this leg", likewise for each later leg, and
/// "it never stops there". The games of a strategy are therefore the union of the games of its
/// cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Assumptions {
    /// Idle pieces that leave home and return.
    pub(crate) away: PieceMask,
    /// Idle pieces that never move.
    pub(crate) stay: PieceMask,
    /// Promoted pieces of open promotion type
    /// ([`MoveKind::AnyLinePiece`](crate::distance::move_kind::MoveKind)). Open types do not define
    /// a case, but join several strategies.
    pub(crate) kinds: PieceMask,
    /// The visits.
    visits: [Option<Visit>; VISITS_MAX],
    /// Pieces that never stop on these squares.
    avoids: [(PieceMask, Bitboard); AVOIDS_MAX],
}

impl Assumptions {
    /// Returns the visits, in the order in which they were added.
    pub(crate) fn visits(&self) -> impl Iterator<Item = Visit> {
        self.visits.into_iter().flatten()
    }

    /// Returns a key that distinguishes cases.
    pub(crate) fn number(&self) -> u64 {
        let mut hasher = FastHasher::default();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the visits of one piece.
    pub(crate) fn visits_of(&self, piece: PieceId) -> impl Iterator<Item = Visit> {
        self.visits().filter(move |visit| visit.piece == piece)
    }

    /// Returns the squares on which a piece never stops by assumption.
    pub(crate) fn avoided(&self, piece: PieceId) -> Bitboard {
        let avoids = self.avoids.iter().filter(|(pieces, _)| pieces.contains(piece));
        avoids.fold(Bitboard::EMPTY, |all, &(_, squares)| all | squares)
    }

    /// Returns these assumptions with one more visit; `None` if the list is full.
    #[must_use]
    pub(crate) fn with_visit(mut self, visit: Visit) -> Option<Self> {
        *self.visits.iter_mut().find(|place| place.is_none())? = Some(visit);
        self.away = self.away.without(visit.piece);
        Some(self)
    }

    /// Returns these assumptions, and that `pieces` never stop on `squares`; `None` if the list is
    /// full.
    #[must_use]
    pub(crate) fn with_avoid(mut self, pieces: PieceMask, squares: Bitboard) -> Option<Self> {
        *self.avoids.iter_mut().find(|place| place.0.is_empty())? = (pieces, squares);
        Some(self)
    }
}

impl fmt::Display for Assumptions {
    /// Writes sets of pieces and of squares in hexadecimal: `AWAY.STAY.KINDS`, then visits
    /// `/PIECE-LEG-SQUARE` by number, then avoided squares `!PIECES-SQUARES`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}.{:x}.{:x}", self.away.0, self.stay.0, self.kinds.0)?;
        for Visit { piece, leg, square } in self.visits() {
            write!(f, "/{}-{leg}-{}", piece.number(), square.number())?;
        }
        for (pieces, squares) in self.avoids.iter().filter(|(pieces, _)| !pieces.is_empty()) {
            write!(f, "!{:x}-{:x}", pieces.0, squares.0)?;
        }
        Ok(())
    }
}

impl FromStr for Assumptions {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        fn bits(word: &str) -> Result<u32, ()> {
            u32::from_str_radix(word, 16).map_err(|_| ())
        }
        let (rest, avoids) = text.split_once('!').map_or((text, None), |(a, b)| (a, Some(b)));
        let mut words = rest.split('/');
        let sets: Vec<&str> = words.next().unwrap_or("").split('.').collect();
        let [away, stay, kinds] = sets.as_slice() else { return Err(()) };
        let [away, stay, kinds] = [bits(away)?, bits(stay)?, bits(kinds)?].map(PieceMask);
        let mut read = Self { away, stay, kinds, ..Self::default() };
        for word in words {
            let parts: Vec<u8> =
                word.split('-').map(|n| n.parse().map_err(|_| ())).collect::<Result<_, _>>()?;
            let [piece @ 0..32, leg, square @ 0..64] = parts[..] else { return Err(()) };
            let visit = Visit { piece: PieceId::new(piece), leg, square: Square::new(square) };
            let place = read.visits.iter_mut().find(|place| place.is_none()).ok_or(())?;
            *place = Some(visit);
        }
        for word in avoids.into_iter().flat_map(|avoids| avoids.split('!')) {
            let (pieces, squares) = word.split_once('-').ok_or(())?;
            let squares = u64::from_str_radix(squares, 16).map_err(|_| ())?;
            read = read.with_avoid(PieceMask(bits(pieces)?), Bitboard(squares)).ok_or(())?;
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_are_read_as_they_are_written() {
        let mut one = Assumptions { stay: PieceMask(0x8000_0001), ..Assumptions::default() };
        assert_eq!(one.to_string(), "0.80000001.0");
        let visit = |leg| Visit { piece: PieceId::new(17), leg, square: Square::E4 };
        one = one.with_visit(visit(0)).unwrap().with_visit(visit(2)).unwrap();
        one = one.with_avoid(PieceMask(6), Bitboard(1 << 63)).unwrap();
        one = one.with_avoid(PieceMask(8), Bitboard(255)).unwrap();
        let text = "0.80000001.0/17-0-28/17-2-28!6-8000000000000000!8-ff";
        assert_eq!(one.to_string(), text);
        assert_eq!(text.parse(), Ok(one));
        for wrong in ["", "0.0", "0.0.x", "0.0.0/32-0-1", "0.0.0/1-0-64", "0.0.0/1-2", "0.0.0!1"] {
            assert_eq!(wrong.parse::<Assumptions>(), Err(()), "{wrong}");
        }
        let five = "0.0.0/1-0-9/1-0-10/1-0-11/1-0-12/1-0-13";
        assert_eq!(five.parse::<Assumptions>(), Err(()), "more visits than a case can hold");
    }
}
