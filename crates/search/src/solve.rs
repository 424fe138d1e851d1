//! The entry of the search: the ordinary one, or a proof of a mate.

use super::engine::Engine;
use super::limits::{SearchParams, SearchRequest};
use super::{SearchAnswer, SearchInfo, mate, parallel};
use umbrail_control::Control;

/// Finds the best move. Always answers; `best` is none only when the position has no legal move (or
/// none of the asked-for root moves is legal).
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
