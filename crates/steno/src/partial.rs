//! State of a search that follows its positions in parts.
//!
//! If memory is too small for a whole layer, its parents are expanded in parts, and each part is
//! searched to the end before the next. Between two parts all results belong to finished rows. The
//! search can therefore continue from there: with the layers on the stack, the finished rows of
//! each, and the sums so far.

use super::layer::StackedLayer;
use super::{Final, MarkReport, StenoRequest};
use num_bigint::BigUint;
use std::sync::Arc;
use umbrail_chess::geometry::Bitboard;
use umbrail_chess::{Move, PackedPosition, Position};

/// State of a search between two parts.
#[derive(Clone, Debug)]
pub(crate) struct PartialSearch {
    /// Layers; the upper ones are parts.
    pub stack: Vec<StackedLayer>,
    /// First unfinished row of the top layer. In the other layers it is the end of the rows that
    /// are parents of the layer above.
    pub row: usize,
    /// Number of games found.
    pub count: BigUint,
    /// Listed games.
    pub games: Vec<Vec<Move>>,
    /// Maximum number of listed games.
    pub games_max: usize,
    /// Game that is not listed.
    pub intended: Option<Vec<Move>>,
    /// Final positions, unless there are too many.
    pub finals: Option<Vec<Final>>,
    /// Sums of each turn.
    pub marks: Vec<MarkReport>,
    /// Moves made.
    pub made: u64,
}

impl PartialSearch {
    /// Returns true if a search of this steno lists the same games.
    pub(super) fn fits(&self, request: &StenoRequest, games_max: usize) -> bool {
        self.games_max == games_max && self.intended == request.intended
    }

    /// Returns the bytes of the layers that are not on a stack.
    pub(super) fn bytes_beside(&self, stack: &[StackedLayer]) -> usize {
        let is_there = |at: usize| {
            stack.get(at).is_some_and(|there| Arc::ptr_eq(&there.layer, &self.stack[at].layer))
        };
        let own = (0..self.stack.len()).filter(|&at| !is_there(at));
        own.map(|at| self.stack[at].layer.bytes()).sum()
    }
}

/// Returns the position after a game, in the form used to compare final positions; `None` if a move
/// is illegal.
pub(super) fn final_position(start: &Position, game: &[Move]) -> Option<PackedPosition> {
    let mut position = *start;
    for mv in game {
        if !position.legal_moves().contains(mv) {
            return None;
        }
        position = position.after(*mv);
    }
    Some(position.pack(Bitboard::EMPTY, false))
}

#[cfg(test)]
mod tests {
    use crate::{
        StenoEnd, StenoEvent, StenoOutcome, StenoParams, StenoRequest, UnfinishedSteno, Vocabulary,
        solve,
    };
    use std::sync::Arc;
    use std::time::{Duration, Instant};
    use umbrail_chess::Position;
    use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

    fn solved(request: &StenoRequest, params: &StenoParams) -> StenoOutcome {
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        let (pool, quiet) = (Pool::new(2).unwrap(), |_: StenoEvent| {});
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &quiet);
        solve(request, params, &control)
    }

    /// A search in parts that is stopped repeatedly and continued from files has the results of an
    /// uninterrupted one.
    #[test]
    fn a_search_in_parts_goes_on_where_it_was_stopped() {
        let new =
            |text| StenoRequest::new(text, Vocabulary::Classic, Position::startpos()).unwrap();
        let whole = StenoParams {
            lookahead: false,
            memory_bytes: 1,
            games_max: 500,
            unfinished_every: Some(Duration::ZERO),
            ..StenoParams::default()
        };
        let expected = solved(&new("~~~~#"), &whole);
        assert_eq!(expected.count, 347u32.into());
        let most = StenoParams { moves_max: Some(80_000), ..whole.clone() };
        let mut request = new("~~~~#");
        let (mut stops, mut in_parts) = (0, 0);
        let found = loop {
            let answer = solved(&request, &most);
            if answer.ended == StenoEnd::Complete {
                break answer;
            }
            assert_eq!(answer.ended, StenoEnd::Moves);
            stops += 1;
            assert!(stops < 100, "{} after {stops} stops", answer.made);
            let work = UnfinishedSteno::new(answer.reusable_layers, most.lookahead);
            in_parts += usize::from(work.is_in_parts());
            let bytes = work.to_bytes(&request);
            let again = UnfinishedSteno::from_bytes(&bytes).unwrap();
            assert_eq!(again.to_bytes(&request), bytes);
            assert!(UnfinishedSteno::from_bytes(&bytes[..bytes.len() - 9]).is_err());
            request.reusable_layers = Some(Arc::clone(again.layers()));
        };
        assert!(stops > 1 && in_parts > 1, "{stops} {in_parts}");
        assert_eq!((&found.count, found.refuted.len()), (&expected.count, 0));
        assert_eq!((&found.games, &found.finals), (&expected.games, &expected.finals));
        let games = |answer: &StenoOutcome| -> Vec<_> {
            answer.marks.iter().map(|mark| (mark.turn, mark.games.clone())).collect()
        };
        assert_eq!(games(&found), games(&expected));
    }

    /// For another steno, or for other listed games, only whole layers are reused.
    #[test]
    fn another_search_does_not_take_the_sums_of_parts_up() {
        let new =
            |text| StenoRequest::new(text, Vocabulary::Classic, Position::startpos()).unwrap();
        let params = StenoParams {
            lookahead: false,
            memory_bytes: 1,
            unfinished_every: Some(Duration::ZERO),
            ..StenoParams::default()
        };
        let most = StenoParams { moves_max: Some(100_000), ..params.clone() };
        let stopped = solved(&new("~~~~#"), &most);
        for (text, games_max, count) in [("~~~~%", 100, 258u32), ("~~~~#", 7, 347)] {
            let mut request = new(text);
            request.reusable_layers = Some(Arc::clone(&stopped.reusable_layers));
            let answer = solved(&request, &StenoParams { games_max, ..params.clone() });
            assert_eq!(answer.count, count.into(), "{text}");
        }
    }
}
