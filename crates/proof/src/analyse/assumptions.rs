//! A case of a strategy: what is supposed of some men beyond their routes.

use crate::fast_map::FastHasher;
use crate::problem::man::{Man, MenSet};
use std::hash::{Hash, Hasher};
use umbrail_chess::geometry::{Bitboard, Square};

/// The most visits of one case.
pub const VISITS_MAX: usize = 4;

/// The most squares of which a case says that some men never stop there.
pub const AVOIDS_MAX: usize = 8;

/// A man stops on a square between two milestones, for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Visit {
    /// Whose visit.
    pub man: Man,
    /// The number of the leg that it parts, earlier visits of the man counted as legs; on legs before it the man
    /// never stops on the square.
    pub leg: u8,
    /// Where it stops; no leg of the man begins or ends there.
    pub square: Square,
}

/// A case: what men are supposed to do. The cases "this man moves" and "it does not" exclude each
/// other and leave no third, and so do "it stops there on this leg first", on the next one, and "it never
/// stops there"; so the games of a strategy are those of its cases together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Assumptions {
    /// Idle men that leave home and come back.
    pub away: MenSet,
    /// Idle men that never move.
    pub stay: MenSet,
    /// Promoted men that may as well be something else ([`MoveKind::AnyLinePiece`](crate::distance::move_kind::MoveKind::AnyLinePiece)): this is no case but
    /// the other way round, several strategies together.
    pub kinds: MenSet,
    /// Who stops where.
    visits: [Option<Visit>; VISITS_MAX],
    /// Who never stops where.
    avoids: [(MenSet, Bitboard); AVOIDS_MAX],
}

impl Assumptions {
    /// The visits, in the order in which they were supposed.
    pub fn visits(&self) -> impl Iterator<Item = Visit> {
        self.visits.into_iter().flatten()
    }

    /// A number for telling cases apart.
    pub fn number(&self) -> u64 {
        let mut hasher = FastHasher::default();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// Those of one man.
    pub fn visits_of(&self, man: Man) -> impl Iterator<Item = Visit> {
        self.visits().filter(move |visit| visit.man == man)
    }

    /// Where a man never stops.
    pub fn avoided(&self, man: Man) -> Bitboard {
        let avoids = self.avoids.iter().filter(|(men, _)| men.contains(man));
        avoids.fold(Bitboard::EMPTY, |all, &(_, squares)| all | squares)
    }

    /// This, and one more visit; none when there is no room for it.
    #[must_use]
    pub fn with_visit(mut self, visit: Visit) -> Option<Self> {
        *self.visits.iter_mut().find(|place| place.is_none())? = Some(visit);
        self.away = self.away.without(visit.man);
        Some(self)
    }

    /// This, and men who never stop on these squares; none when there is no room for it.
    #[must_use]
    pub fn with_avoid(mut self, men: MenSet, squares: Bitboard) -> Option<Self> {
        *self.avoids.iter_mut().find(|place| place.0.is_empty())? = (men, squares);
        Some(self)
    }
}
