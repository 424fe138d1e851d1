//! Walk along a known strategy, to prove that the tree does not lose it.

use crate::enumerate::agreement::KnownBranch;
use crate::enumerate::claims::AllClaims;
use crate::enumerate::progress_trace::WalkProgress;
use crate::enumerate::request::{EnumerationOptions, FoundStrategy};
use crate::enumerate::state::{NodeRefutation, NodeState};
use crate::enumerate::tree::TreeWalk;
use crate::problem::Problem;
use crate::problem::piece::PieceId;
use crate::strategy::Strategy;
use std::ops::ControlFlow;
use umbrail_chess::geometry::Color;
use umbrail_control::Cancel;

/// Node where the tree lost a known strategy.
#[derive(Clone, Debug)]
pub struct LostStrategy {
    /// Refutation of the node on its branch; `None` if the branch ended without a child.
    pub dead: Option<NodeRefutation>,
    /// Bounds and itineraries of the last node on its branch.
    pub node: String,
}

/// Walks the tree along one strategy, which must be emitted exactly once and alone; returns its
/// free moves.
///
/// # Errors
/// Returns the node where the strategy was lost.
pub fn follow(
    problem: &Problem,
    options: &EnumerationOptions,
    strategy: &Strategy,
) -> Result<[u16; 2], LostStrategy> {
    let mut met = Vec::new();
    let mut emit = |found: FoundStrategy| {
        met.push((found.strategy == *strategy, found.free));
        ControlFlow::Continue(())
    };
    let cancel = Cancel::default();
    let progress = WalkProgress::new(&cancel, None);
    let mut walk = TreeWalk::new(problem, options, &AllClaims, progress, &mut emit);
    walk.known = KnownBranch::of(strategy);
    let _ = walk.ends();
    let (dead, state) = walk.known.end();
    if let [(true, free)] = met[..] {
        return Ok(free);
    }
    Err(LostStrategy { dead, node: state.map_or_else(|| "no ends".to_owned(), |s| notify(&s)) })
}

fn notify(state: &NodeState) -> String {
    let pieces: Vec<String> = PieceId::all()
        .map(|piece| {
            let itinerary = state.itinerary(piece);
            let stops: Vec<String> = itinerary
                .stops()
                .iter()
                .map(|stop| format!("{:?} {}", stop.kind, stop.square))
                .collect();
            format!(
                "{piece} {} {:?} {} cost {} bound {} need {}",
                stops.join(" "),
                itinerary.fate,
                itinerary.end,
                itinerary.cost,
                itinerary.bound,
                itinerary.need
            )
        })
        .collect();
    let spare = Color::ALL.map(|color| (state.spare(color), state.spare_captures(color)));
    format!(
        "spare moves and captures {spare:?}, still {:?}\n{}",
        state.distances.still,
        pieces.join("\n")
    )
}
