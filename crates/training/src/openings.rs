//! Openings for the data generation of other programs (`genfens` of OpenBench).

use crate::pairs::random_opening;
use crate::play_limit::PlayLimit;
use crate::random::{RandomNumbers, mixed};
use crate::self_play_engine::{SelfPlayEngine, SelfPlayError, pool, random_moves};
use umbrail_chess::Position;
use umbrail_control::Cancel;
use umbrail_search::SearchParams;

/// Nodes of the search that judges an opening.
const NODES: u64 = 1_000;
/// Random plies after a position of a book.
const BOOK_PLIES: usize = 4;

/// Returns openings that a short search scores within three pawns: eight or nine random plies from the initial position,
/// or four random plies from a position of the book. The same seed gives the same openings.
///
/// # Errors
/// [`SelfPlayError`] if the engine cannot be created.
pub fn openings(
    count: usize,
    seed: u64,
    book: &[Position],
    params: &SearchParams,
) -> Result<Vec<Position>, SelfPlayError> {
    let pool = pool()?;
    let mut engine = SelfPlayEngine::new(&pool, params, 1, PlayLimit::Nodes(NODES))?;
    let never = Cancel::default();
    let mut random = RandomNumbers::new(seed, 0);
    let mut found = vec![];
    for number in 0..count as u64 {
        let seed = mixed(seed) ^ number;
        let opening = match book.len() {
            0 => random_opening(&mut engine, seed, &never).map(|(position, _)| position),
            all => {
                let start = &book[random.below(all)];
                Some(random_moves(start, seed, BOOK_PLIES).map_or(*start, |(position, _)| position))
            }
        };
        found.extend(opening);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::openings;
    use umbrail_chess::Position;
    use umbrail_search::SearchParams;

    #[test]
    fn a_seed_determines_the_openings() {
        let params = SearchParams { use_nnue: false, ..SearchParams::default() };
        let of = |seed, book: &[Position]| {
            let found = openings(3, seed, book, &params).unwrap();
            found.iter().map(|position| position.to_setup().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(of(5, &[]), of(5, &[]));
        assert_ne!(of(5, &[]), of(6, &[]));
        let start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
        let book = [Position::try_from(&start).unwrap()];
        assert!(of(5, &book).iter().all(|fen| fen.len() < 40 && fen.ends_with('3')));
    }
}
