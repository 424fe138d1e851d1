//! Assumptions: what a case of a strategy assumes about some men beyond their routes.

use crate::fast_map::FastHasher;
use crate::problem::man::{Man, MenSet};
use std::hash::{Hash, Hasher};
use umbrail_chess::geometry::{Bitboard, Square};

/// Visits that one case can hold.
pub(crate) const VISITS_MAX: usize = 4;

/// Entries "these men never stop on these squares" that one case can hold.
pub(crate) const AVOIDS_MAX: usize = 8;

/// A man stops on a square between two milestones, for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Visit {
    /// The visiting man.
    pub man: Man,
    /// The number of the leg that the visit splits; earlier visits of the man count as legs. On
    /// legs before it the man never stops on the square.
    pub leg: u8,
    /// The visited square; no leg of the man begins or ends there.
    pub square: Square,
}

/// A case of a strategy. The cases "this man moves" and "it does not" exclude each other and cover
/// all games. So do "its first stop there is on this leg", the same for each later leg, and "it
/// never stops there". The games of a strategy are therefore the union of the games of its cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Assumptions {
    /// Idle men that leave home and come back.
    pub(crate) away: MenSet,
    /// Idle men that never move.
    pub(crate) stay: MenSet,
    /// Promoted men of open promotion type
    /// ([`MoveKind::AnyLinePiece`](crate::distance::move_kind::MoveKind)). This does not make a
    /// case; it joins several strategies.
    pub(crate) kinds: MenSet,
    /// The visits.
    visits: [Option<Visit>; VISITS_MAX],
    /// Men that never stop on these squares.
    avoids: [(MenSet, Bitboard); AVOIDS_MAX],
}

impl Assumptions {
    /// The visits, in the order in which they were added.
    pub(crate) fn visits(&self) -> impl Iterator<Item = Visit> {
        self.visits.into_iter().flatten()
    }

    /// A key that tells cases apart.
    pub(crate) fn number(&self) -> u64 {
        let mut hasher = FastHasher::default();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// The visits of one man.
    pub(crate) fn visits_of(&self, man: Man) -> impl Iterator<Item = Visit> {
        self.visits().filter(move |visit| visit.man == man)
    }

    /// The squares on which a man never stops by assumption.
    pub(crate) fn avoided(&self, man: Man) -> Bitboard {
        let avoids = self.avoids.iter().filter(|(men, _)| men.contains(man));
        avoids.fold(Bitboard::EMPTY, |all, &(_, squares)| all | squares)
    }

    /// These assumptions with one more visit; none when the list is full.
    #[must_use]
    pub(crate) fn with_visit(mut self, visit: Visit) -> Option<Self> {
        *self.visits.iter_mut().find(|place| place.is_none())? = Some(visit);
        self.away = self.away.without(visit.man);
        Some(self)
    }

    /// These assumptions, and `men` never stop on `squares`; none when the list is full.
    #[must_use]
    pub(crate) fn with_avoid(mut self, men: MenSet, squares: Bitboard) -> Option<Self> {
        *self.avoids.iter_mut().find(|place| place.0.is_empty())? = (men, squares);
        Some(self)
    }
}
