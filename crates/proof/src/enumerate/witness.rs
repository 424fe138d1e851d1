//! Walks the tree along a known strategy, to prove that it is not lost.

use crate::enumerate::claims::AllClaims;
use crate::enumerate::request::{EnumerationOptions, FoundStrategy};
use crate::enumerate::state::{NodeRefutation, NodeState};
use crate::enumerate::tree::TreeWalk;
use crate::problem::Problem;
use crate::problem::man::Man;
use crate::strategy::Strategy;
use crate::strategy::itinerary::{Fate, Itinerary, PromotionPlan, StopKind};
use crate::strategy::route::{End, Milestone, Route};
use std::ops::ControlFlow;
use umbrail_chess::geometry::Color;
use umbrail_control::Cancel;

/// Whether everything decided agrees with a strategy.
pub(crate) fn agrees(state: &NodeState, strategy: &Strategy) -> bool {
    strategy.routes().all(|(man, route)| itinerary_agrees(state.itinerary(man), man, route))
}

/// Whether what is decided about a man agrees with its route. Exactly one of a state's children
/// does.
pub(crate) fn itinerary_agrees(itinerary: &Itinerary, man: Man, route: &Route) -> bool {
    if itinerary.castles != route.castling() {
        return false;
    }
    let ends = match (itinerary.fate, route.end) {
        (Fate::Rests, End::Rest(square)) => itinerary.end == square,
        (Fate::Dies(by), End::Dead { square, captor, .. }) => {
            by == captor && itinerary.end == square
        }
        (Fate::Open, End::Dead { .. }) => true,
        _ => false,
    };
    let plan = match (itinerary.promotion, route.promotion()) {
        (PromotionPlan::Never, turn) => turn.is_none(),
        (PromotionPlan::Promotes(kind), Some((_, becomes))) => kind == becomes,
        (PromotionPlan::Promotes(_), None) => false,
        (PromotionPlan::Unknown, _) => true,
    };
    if !ends || !plan {
        return false;
    }
    // The decided stops occur in order among the milestones; an undecided pawn has only captured as
    // a pawn.
    let mut milestones = route.milestones.iter();
    itinerary.stops().iter().all(|stop| {
        for milestone in milestones.by_ref() {
            match (*milestone, stop.kind) {
                (Milestone::Capture { square, victim, en_passant }, kind) => {
                    let same = match kind {
                        StopKind::Takes(man) => man == victim && !en_passant,
                        StopKind::TakesEnPassant(man) => man == victim && en_passant,
                        StopKind::Promotes(_) => false,
                    };
                    if same {
                        return square == stop.square;
                    }
                }
                (Milestone::Promotion { square, kind }, StopKind::Promotes(becomes)) => {
                    return square == stop.square && kind == becomes;
                }
                (Milestone::Promotion { .. }, _) if itinerary.turn().is_none() && man.is_pawn() => {
                    return false;
                }
                _ => {}
            }
        }
        false
    })
}

/// Where a known strategy was lost in the tree.
#[derive(Clone, Debug)]
pub struct LostStrategy {
    /// The refutation of the node on its branch, if a bound refuted it; else the branch had no
    /// child.
    pub dead: Option<NodeRefutation>,
    /// The bounds and itineraries of the last node on its branch.
    pub node: String,
}

/// Walks the tree along one strategy, which must be emitted exactly once and alone; gives its free
/// moves.
///
/// # Errors
/// Where it was lost.
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
    let mut walk = TreeWalk::new(problem, options, &AllClaims, &cancel, &mut emit);
    walk.target = Some(strategy);
    let _ = walk.ends();
    let (lost, last) = (walk.lost.take(), walk.last.take());
    if let [(true, free)] = met[..] {
        return Ok(free);
    }
    let dead = lost.as_ref().map(|(_, dead)| *dead);
    let node = lost.map(|(state, _)| state).or(last);
    Err(LostStrategy {
        dead,
        node: node.map_or_else(|| "no ends".to_owned(), |state| tell(&state)),
    })
}

fn tell(state: &NodeState) -> String {
    let men: Vec<String> = Man::all()
        .map(|man| {
            let itinerary = state.itinerary(man);
            let stops: Vec<String> = itinerary
                .stops()
                .iter()
                .map(|stop| format!("{:?} {}", stop.kind, stop.square))
                .collect();
            format!(
                "{man} {} {:?} {} cost {} bound {} need {}",
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
        men.join("\n")
    )
}
