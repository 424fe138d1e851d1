//! Walking the tree along a strategy that is known: the proof that nothing is lost on the way.

use crate::enumerate::claims::AllClaims;
use crate::enumerate::request::{Found, Options};
use crate::enumerate::state::{Dead, State};
use crate::enumerate::tree::Walk;
use crate::problem::Problem;
use crate::problem::man::Man;
use crate::strategy::Strategy;
use crate::strategy::itinerary::{Deed, Fate, Life, Plan};
use crate::strategy::route::{End, Node, Route};
use std::ops::ControlFlow;
use umbrail_chess::geometry::Color;
use umbrail_control::Cancel;

/// Whether all that is decided agrees with a strategy.
pub(crate) fn agrees(state: &State, strategy: &Strategy) -> bool {
    strategy.routes().all(|(man, route)| life_agrees(state.life(man), man, route))
}

/// Whether what is decided about a man agrees with its route. Of a state's children exactly one does.
pub(crate) fn life_agrees(life: &Life, man: Man, route: &Route) -> bool {
    if life.castles != route.castling() {
        return false;
    }
    let ends = match (life.fate, route.end) {
        (Fate::Rests, End::Rest(square)) => life.end == square,
        (Fate::Dies(by), End::Dead { square, captor, .. }) => by == captor && life.end == square,
        (Fate::Open, End::Dead { .. }) => true,
        _ => false,
    };
    let plan = match (life.plan, route.promotion()) {
        (Plan::Never, turn) => turn.is_none(),
        (Plan::Becomes(kind), Some((_, becomes))) => kind == becomes,
        (Plan::Becomes(_), None) => false,
        (Plan::Unknown, _) => true,
    };
    if !ends || !plan {
        return false;
    }
    // The decided stops in order among the milestones; undecided pawns have only captured as pawns.
    let mut nodes = route.nodes.iter();
    life.stops().iter().all(|stop| {
        for node in nodes.by_ref() {
            match (*node, stop.deed) {
                (Node::Capture { square, victim, en_passant }, deed) => {
                    let same = match deed {
                        Deed::Takes(man) => man == victim && !en_passant,
                        Deed::TakesInPassing(man) => man == victim && en_passant,
                        Deed::Becomes(_) => false,
                    };
                    if same {
                        return square == stop.square;
                    }
                }
                (Node::Promotion { square, kind }, Deed::Becomes(becomes)) => {
                    return square == stop.square && kind == becomes;
                }
                (Node::Promotion { .. }, _) if life.turn().is_none() && man.is_pawn() => {
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
pub struct Lost {
    /// What refuted the node of its branch, if a bound did; else the branch had no child.
    pub dead: Option<Dead>,
    /// The bounds and lives of the last node of its branch.
    pub node: String,
}

/// Walks the tree along one strategy. It must come out, once and alone; tells the free moves it has.
///
/// # Errors
/// Where it was lost.
pub fn follow(problem: &Problem, options: &Options, strategy: &Strategy) -> Result<[u16; 2], Lost> {
    let mut met = Vec::new();
    let mut emit = |found: Found| {
        met.push((found.strategy == *strategy, found.free));
        ControlFlow::Continue(())
    };
    let cancel = Cancel::default();
    let mut walk = Walk::new(problem, options, &AllClaims, &cancel, &mut emit);
    walk.target = Some(strategy);
    let _ = walk.ends();
    let (lost, last) = (walk.lost.take(), walk.last.take());
    if let [(true, free)] = met[..] {
        return Ok(free);
    }
    let dead = lost.as_ref().map(|(_, dead)| *dead);
    let node = lost.map(|(state, _)| state).or(last);
    Err(Lost { dead, node: node.map_or_else(|| "no ends".to_owned(), |state| tell(&state)) })
}

fn tell(state: &State) -> String {
    let men: Vec<String> = Man::all()
        .map(|man| {
            let life = state.life(man);
            let stops: Vec<String> = life
                .stops()
                .iter()
                .map(|stop| format!("{:?} {}", stop.deed, stop.square))
                .collect();
            format!(
                "{man} {} {:?} {} cost {} bound {} need {}",
                stops.join(" "),
                life.fate,
                life.end,
                life.cost,
                life.bound,
                life.need
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
