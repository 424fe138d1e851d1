//! A leaf of the tree as the strategy that it is.

use crate::problem::man::Man;
use crate::strategy::itinerary::{Deed, Fate, Life};
use crate::strategy::route::{End, Node, Route};
use crate::strategy::{Strategy, behind};

/// Builds the strategy in which all men live so; none when a death has no capture that fits, which no
/// leaf of the tree has.
pub(crate) fn strategy(lives: &[Life; 32]) -> Option<Strategy> {
    let mut routes: [Route; 32] =
        std::array::from_fn(|_| Route::to(End::Rest(Man::new(0).origin())));
    for man in Man::all() {
        let life = &lives[man.index()];
        let route = &mut routes[man.index()];
        route.end = match life.fate {
            Fate::Rests => End::Rest(life.end),
            Fate::Open => return None,
            Fate::Dies(captor) => {
                let taken =
                    |deed| matches!(deed, Deed::Takes(v) | Deed::TakesInPassing(v) if v == man);
                let captures = lives[captor.index()]
                    .stops()
                    .iter()
                    .filter(|stop| !matches!(stop.deed, Deed::Becomes(_)));
                let index = captures.into_iter().position(|stop| taken(stop.deed))? as u8;
                End::Dead { square: life.end, captor, index }
            }
        };
        if let Some(wing) = life.castles {
            route.nodes.try_push(Node::Castling(wing)).ok()?;
        }
        for stop in life.stops() {
            let square = stop.square;
            let node = match stop.deed {
                Deed::Takes(victim) => Node::Capture { square, victim, en_passant: false },
                Deed::TakesInPassing(victim) => {
                    debug_assert_eq!(lives[victim.index()].end, behind(man.color(), square));
                    Node::Capture { square, victim, en_passant: true }
                }
                Deed::Becomes(kind) => Node::Promotion { square, kind },
            };
            route.nodes.try_push(node).ok()?;
        }
    }
    Some(Strategy::new(routes))
}
