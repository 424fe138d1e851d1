//! Entry of the search: ordinary search or mate search.

use super::engine::Engine;
use super::limits::{SearchParams, SearchRequest};
use super::{SearchAnswer, SearchInfo, mate, parallel};
use umbrail_control::Control;

/// Finds the best move. Always returns; `best` is none only if there is no legal move (or no
/// requested root move is legal).
pub fn solve(
    engine: &Engine,
    request: &SearchRequest,
    params: &SearchParams,
    control: &Control<'_, SearchInfo>,
) -> SearchAnswer {
    match request.limits.mate {
        Some(moves) => mate::solve(engine, request, params, moves, control),
        None => parallel::play(engine, request, params, control),
    }
}
