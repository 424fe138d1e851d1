//! Hints: biases in centipawns for moves from the book and from the engine's own experience.
//!
//! A bias orders moves; it is never added to a score and never stored. Hints are collected once per
//! search, from the root down along the moves of the book and the experience file.

use super::Library;
use super::book::Book;
use super::experience::Experience;
use std::collections::HashMap;
use umbrail_chess::{Move, Position};
use umbrail_control::lock;

/// Largest absolute bias, centipawns.
const MOST: i32 = 50;
/// Largest number of positions with hints.
const POSITIONS: usize = 2_000;

/// Moves with their bias, by key of the position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints(HashMap<u64, Vec<(Move, i32)>>);

impl Hints {
    /// Collects the hints of book and experience for positions that can follow from `root`.
    pub(crate) fn gather(root: &Position, library: &Library) -> Self {
        let mut hints = Self::default();
        if library.book.is_none() && library.experience.is_none() {
            return hints;
        }
        let guard = library.experience.as_ref().map(|experience| {
            // Records are plain numbers and cannot be half-written, so a poisoned lock is safe to
            // use.
            lock(experience)
        });
        let experience = guard.as_deref();
        let mut waiting = std::collections::VecDeque::from([*root]);
        while let Some(position) = waiting.pop_front() {
            if hints.0.len() >= POSITIONS || hints.0.contains_key(&position.key()) {
                continue;
            }
            let moves = biases(&position, library.book.as_deref(), experience);
            if !moves.is_empty() {
                waiting.extend(moves.iter().map(|&(mv, _)| position.after(mv)));
                hints.0.insert(position.key(), moves);
            }
        }
        hints
    }

    /// Returns the moves with a bias in the position of this key.
    #[inline]
    pub(crate) fn of(&self, key: u64) -> &[(Move, i32)] {
        self.0.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// Returns the biases of one position. Book: [`MOST`] times the ratio of the weight to the largest
/// weight. Experience: half of [`MOST`] for the best move, and half a centipawn less per centipawn
/// that another move is worse.
fn biases(
    position: &Position,
    book: Option<&Book>,
    experience: Option<&Experience>,
) -> Vec<(Move, i32)> {
    let mut biases: Vec<(Move, i32)> = vec![];
    let mut add = |mv: Move, bias: i32| match biases.iter_mut().find(|(known, _)| *known == mv) {
        Some((_, sum)) => *sum = (*sum + bias).clamp(-MOST, MOST),
        None => biases.push((mv, bias.clamp(-MOST, MOST))),
    };
    let weighed = book.map_or_else(Vec::new, |book| book.moves(position));
    let heaviest = weighed.iter().map(|&(_, weight)| i32::from(weight)).max().unwrap_or(0).max(1);
    for (mv, weight) in weighed {
        add(mv, MOST * i32::from(weight) / heaviest);
    }
    let remembered = experience.map_or(&[][..], |experience| experience.moves(position.key()));
    let best = remembered.iter().map(|record| i32::from(record.score)).max().unwrap_or(0);
    for record in remembered.iter().filter(|record| position.is_legal(record.mv)) {
        add(record.mv, MOST / 2 - (best - i32::from(record.score)) / 2);
    }
    biases
}

#[cfg(test)]
mod tests {
    use super::super::Library;
    use super::super::book::{Book, bound};
    use super::Hints;
    use crate::sources::read_at_once;
    use std::sync::Arc;
    use umbrail_chess::{Position, parse_uci};

    #[test]
    fn weights_become_biases_along_the_known_moves() {
        let start = Position::startpos();
        let [e4, d4] = ["e2e4", "d2d4"].map(|text| parse_uci(&start, text).unwrap());
        let next = start.after(e4);
        let e5 = parse_uci(&next, "e7e5").unwrap();
        let path = std::env::temp_dir().join(format!("umbrail-hints-{}", std::process::id()));
        std::fs::write(&path, bound(&[(start, e4, 100), (start, d4, 50), (next, e5, 7)])).unwrap();
        let book = Some(Arc::new(Book::read(&path, &read_at_once).unwrap()));
        std::fs::remove_file(&path).unwrap();
        let hints = Hints::gather(&start, &Library { book, ..Library::default() });
        let mut first = hints.of(start.key()).to_vec();
        first.sort_by_key(|&(_, bias)| bias);
        assert_eq!(first, [(d4, 25), (e4, 50)]);
        assert_eq!(hints.of(next.key()), [(e5, 50)]);
        assert!(Hints::gather(&start, &Library::default()).of(start.key()).is_empty());
    }
}
