//! What a party knows of placements: by itself, or together with the same party of others who play the same.

use crate::distance::cache::{Map, Quick};
use crate::problem::man::MenSet;
use crate::search::relax::answers::{Answer, Known, Room};
use dashmap::DashMap;
use std::fmt;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

/// What all of them know.
type Shelf = DashMap<u128, Known, BuildHasherDefault<Quick>>;

/// What the parties of all who play one strategy know.
///
/// *Admissible* for everybody: a placement without a way on has none whoever found that out, as long as the legs of the
/// men mean the same, and a case and what thinking made of it are part of the name.
#[derive(Clone, Default)]
pub(crate) struct Shelves(Arc<DashMap<(u64, MenSet), Arc<Shelf>>>);

impl fmt::Debug for Shelves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} shelves", self.0.len())
    }
}

impl Shelves {
    /// The one of these men in a case.
    fn of(&self, case: u64, men: MenSet) -> Arc<Shelf> {
        Arc::clone(&self.0.entry((case, men)).or_default())
    }
}

/// What one party knows.
pub(crate) enum Memory {
    /// Nobody else does.
    Own(Map<u128, Known>),
    /// Others know and add to it.
    Shared(Arc<Shelf>),
}

impl Default for Memory {
    fn default() -> Self {
        Self::Own(Map::default())
    }
}

impl Memory {
    /// How many placements it holds.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Own(map) => map.len(),
            Self::Shared(shelf) => shelf.len(),
        }
    }

    /// Forgets them, or leaves them to the others.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Makes room when there are very many, for all.
    pub(crate) fn trim(&mut self, most: usize) {
        match self {
            Self::Own(map) if map.len() >= most => *map = Map::default(),
            Self::Shared(shelf) if shelf.len() >= most => shelf.clear(),
            _ => {}
        }
    }

    /// Shares from now on what the party of these men knows.
    pub(crate) fn share(&mut self, shelves: &Shelves, case: u64, men: MenSet) {
        if let Self::Own(own) = self {
            let shelf = shelves.of(case, men);
            for (key, known) in std::mem::take(own) {
                shelf.entry(key).or_insert(known);
            }
            *self = Self::Shared(shelf);
        }
    }

    /// What is known of a placement.
    #[inline]
    pub(crate) fn answer(&self, key: u128, room: Room, level: u8) -> Option<Answer> {
        match self {
            Self::Own(map) => map.get(&key)?.answer(room, level),
            Self::Shared(shelf) => shelf.get(&key)?.answer(room, level),
        }
    }

    /// Makes room for so many more placements, where nobody else is in the way.
    pub(crate) fn expect(&mut self, more: usize) {
        if let Self::Own(map) = self {
            map.reserve(more);
        }
    }

    /// More is known.
    #[inline]
    pub(crate) fn note(&mut self, key: u128, room: Room, answer: Answer) {
        match self {
            Self::Own(map) => map.entry(key).or_insert(Known::NOTHING).note(room, answer),
            Self::Shared(shelf) => shelf.entry(key).or_insert(Known::NOTHING).note(room, answer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::relax::answers::Left;

    #[test]
    fn the_same_party_of_the_same_case_shares_what_it_knows() {
        let shelves = Shelves::default();
        let room = Left { plies: 9, own: [4, 5] }.part([true; 2]).1;
        let [mut one, mut two, mut elsewhere, mut others] = [(); 4].map(|()| Memory::default());
        one.note(1, room, Answer::Dead);
        one.share(&shelves, 7, MenSet(3));
        two.share(&shelves, 7, MenSet(3));
        elsewhere.share(&shelves, 8, MenSet(3));
        others.share(&shelves, 7, MenSet(5));
        two.note(2, room, Answer::Able);
        for (key, answer) in [(1, Answer::Dead), (2, Answer::Able)] {
            assert!(one.answer(key, room, 0) == Some(answer));
            assert!(two.answer(key, room, 0) == Some(answer));
            assert!(elsewhere.answer(key, room, 0).is_none());
            assert!(others.answer(key, room, 0).is_none());
        }
        assert_eq!((one.len(), elsewhere.len()), (2, 0));
        one.forget();
        assert_eq!((one.len(), two.len()), (0, 2));
        two.trim(3);
        assert_eq!(two.len(), 2);
        two.trim(2);
        assert_eq!(two.len(), 0);
    }
}
