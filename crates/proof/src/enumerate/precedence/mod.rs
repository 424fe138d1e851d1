//! The order of events: strategies whose events wait for each other in a circle have no game.
//!
//! Each man's life becomes a chain of events, stays between them and ways that cross squares. Two men
//! never share a square, a way needs its squares empty, a king castles when nobody attacks its path: each
//! of that says "this before that", or leaves two orders open. A circle, or an alternative both of whose
//! sides make one, refutes the strategy. Nothing here depends on the ply of an event.

mod castling;
mod crossings;
mod gates;
mod graph;
mod occupancy;

use crate::distance::{Distances, NEVER};
use crate::problem::man::{Man, MenSet};
use crate::rules::{Rule, Rules};
use crate::strategy::itinerary::{Fate, Life};
use arrayvec::ArrayVec;
use crossings::Crossings;
use graph::Graph;
use occupancy::{Builder, NONE, Stay, Stays, Touch};
use umbrail_chess::geometry::{Bitboard, Square};

/// Judges strategies one after the other; keeps what it computed.
#[derive(Debug)]
pub(crate) struct Order {
    rules: Rules,
    graph: Graph,
    stays: Stays,
    crossings: Crossings,
}

/// Men who must step aside and come back, though nothing decided asks them to, and the moves beyond their
/// bounds that this costs them.
#[derive(Debug, Default)]
pub(crate) struct Aside {
    men: MenSet,
    /// Who and how many moves.
    pub moves: ArrayVec<(Man, u8), 32>,
}

impl Aside {
    /// Charges a man with moves.
    fn charge(&mut self, man: Man, moves: u8, slack: &mut [u16; 2]) -> Result<(), Rule> {
        let left = &mut slack[man.color().index()];
        *left = left.checked_sub(u16::from(moves)).ok_or(Rule::Occupancy)?;
        self.men = self.men.with(man);
        let _ = self.moves.try_push((man, moves));
        Ok(())
    }
}

/// No stay in the chain of a square.
const LAST: u8 = u8::MAX;

impl Order {
    /// A judge with these rules: [`Rule::Order`] for everything, and [`Rule::TightLegs`], [`Rule::Pairs`],
    /// [`Rule::Relay`], [`Rule::CastlingChecks`], [`Rule::Dominators`], [`Rule::Occupancy`] for parts.
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            rules,
            graph: Graph::default(),
            stays: Stays::default(),
            crossings: Crossings::default(),
        }
    }

    /// Judges what is decided. Tells the men at home who must step aside and come back, though nothing
    /// decided asks them to, or the rule that refutes all strategies below.
    ///
    /// `slack` are the moves that each color has beyond its bound, `spare_captures` the captures beyond those
    /// its pawns need. Lives that are not decided to the end may be judged: whoever makes more captures on
    /// a leg still goes from its beginning to its end within the slack, and takes no leg of one move that
    /// [`TightLegs`](Rule::TightLegs) calls one event, since a capture on the way costs a move or two.
    ///
    /// # Errors
    /// The rule that refutes.
    pub(crate) fn judge(
        &mut self,
        lives: &[Life; 32],
        distances: &Distances,
        mut slack: [u16; 2],
        spare_captures: [i32; 2],
    ) -> Result<Aside, Rule> {
        let mut aside = Aside::default();
        if !self.rules.has(Rule::Order) {
            return Ok(aside);
        }
        loop {
            let builder = Builder {
                lives,
                distances,
                slack,
                spare_captures,
                aside: aside.men,
                tight_legs: self.rules.has(Rule::TightLegs),
                dominators: self.rules.has(Rule::Dominators),
                graph: &mut self.graph,
                out: &mut self.stays,
                crossings: &mut self.crossings,
            };
            if builder.build().is_none() {
                // Too many events: say nothing.
                return Ok(aside);
            }
            let checked = if self.rules.has(Rule::StaticChecks) {
                castling::checked_kings(lives, &self.stays)
            } else {
                MenSet::EMPTY
            };
            let more = self.in_the_way(lives, aside.men) | MenSet(checked.0 & !aside.men.0);
            if !more.is_empty() {
                // Men at home whom nobody asked to move are in the way, or must answer a check: each
                // makes a round trip.
                for man in more.men() {
                    let table = distances.table(man.color(), man.role());
                    let round = if man.is_pawn() { NEVER } else { table.round_trip(man.origin()) };
                    aside.charge(man, round, &mut slack)?;
                }
                continue;
            }
            if self.rules.has(Rule::CastlingChecks) {
                castling::orders(lives, distances, &self.stays, &mut self.graph);
            }
            if self.rules.has(Rule::Exits)
                && !gates::orders(distances, &self.stays, &mut self.graph)
            {
                return Err(Rule::Exits);
            }
            if self.rules.has(Rule::Relay) {
                self.join();
            }
            if !self.meet() {
                return Err(Rule::Relay);
            }
            if !self.graph.is_possible() {
                return Err(Rule::Order);
            }
            if !self.rules.has(Rule::Occupancy) {
                return Ok(aside);
            }
            let mut news = false;
            for wobble in &self.stays.wobbles {
                if self.graph.parts(wobble.first, wobble.last) {
                    // He is away while something else happens, and comes back.
                    let life = &lives[wobble.man.index()];
                    let table = distances.table(wobble.man.color(), wobble.role);
                    let round = table.round_trip(wobble.square);
                    let more = round.saturating_sub(life.bound - life.cost);
                    aside.charge(
                        wobble.man,
                        if round == NEVER { NEVER } else { more },
                        &mut slack,
                    )?;
                    news = true;
                }
            }
            if !news {
                return Ok(aside);
            }
        }
    }

    /// Idle men on whose squares somebody must stand or pass.
    fn in_the_way(&self, lives: &[Life; 32], aside: MenSet) -> MenSet {
        if !self.rules.has(Rule::Occupancy) {
            return MenSet::EMPTY;
        }
        let idle: MenSet = Man::all()
            .filter(|&man| !aside.contains(man) && lives[man.index()].is_idle(man))
            .collect();
        let crossed = self.stays.touches.iter().map(|touch| touch.squares);
        let stopped = self
            .stays
            .stays
            .iter()
            .filter(|stay| (stay.men.0 & aside.0) == 0)
            .map(|stay| Bitboard::of(stay.square));
        let used = crossed.chain(stopped).fold(Bitboard::EMPTY, |all, squares| all | squares);
        idle.men().filter(|man| used.contains(man.origin())).collect()
    }

    /// Joins the stays of victim and captor on one square into one.
    ///
    /// Admissible: the captor arrives in the very move that removes the victim, so the square is never
    /// empty in between. En passant the squares differ, and nothing is joined.
    fn join(&mut self) {
        let stays = &mut self.stays.stays;
        // The captor's stay that begins with an event; an en passant capture begins one elsewhere, and a
        // stay of no length is none.
        let mut begins = [LAST; 256];
        for (number, stay) in stays.iter().enumerate().take(usize::from(LAST)) {
            if stay.from != NONE && stay.from != stay.to {
                begins[usize::from(stay.from)] = number as u8;
            }
        }
        let mut gone = [false; 256];
        for number in 0..stays.len().min(usize::from(LAST)) {
            if gone[number] {
                continue;
            }
            let mut joined = stays[number];
            while joined.to != NONE && joined.from != joined.to {
                let next = usize::from(begins[usize::from(joined.to)]);
                let Some(later) = stays.get(next).filter(|_| next != usize::from(LAST)) else {
                    break;
                };
                if later.square != joined.square || (later.men.0 & joined.men.0) != 0 || gone[next]
                {
                    break;
                }
                joined = Stay {
                    men: joined.men | later.men,
                    man: later.man,
                    role: later.role,
                    to: later.to,
                    ..joined
                };
                gone[next] = true;
            }
            stays[number] = joined;
        }
        let mut number = 0;
        stays.retain(|_| {
            number += 1;
            !gone[number - 1]
        });
    }

    /// Orders all that meets on one square; false when two must be there at once.
    fn meet(&mut self) -> bool {
        let stays = &self.stays.stays;
        let pairs = self.rules.has(Rule::Pairs);
        let mut first = [LAST; 64];
        let mut next = [LAST; 256];
        let mut occupied = Bitboard::EMPTY;
        for (number, stay) in stays.iter().enumerate().take(usize::from(LAST)) {
            let square = stay.square.index();
            let mut other = first[square];
            while other != LAST {
                if !apart(&mut self.graph, stay, &stays[usize::from(other)], pairs) {
                    return false;
                }
                other = next[usize::from(other)];
            }
            next[number] = first[square];
            first[square] = number as u8;
            occupied = occupied.with(stay.square);
        }
        for touch in &self.stays.touches {
            for square in (touch.squares & occupied).squares() {
                let mut other = first[square.index()];
                while other != LAST {
                    if !passes(&mut self.graph, touch, &stays[usize::from(other)], pairs) {
                        return false;
                    }
                    other = next[usize::from(other)];
                }
            }
        }
        true
    }
}

/// Two stays on one square: one ends before the other begins. False when both last for ever on one side.
fn apart(graph: &mut Graph, a: &Stay, b: &Stay, pairs: bool) -> bool {
    if (a.men.0 & b.men.0) != 0 {
        return true;
    }
    match (a.to == NONE || b.from == NONE, b.to == NONE || a.from == NONE) {
        (true, true) => return false,
        (true, false) => graph.before(b.to, a.from),
        (false, true) => graph.before(a.to, b.from),
        (false, false) if pairs => graph.either((a.to, b.from), (b.to, a.from)),
        _ => {}
    }
    true
}

/// A way across a square where somebody stays: it begins before he comes, or ends after he has left.
fn passes(graph: &mut Graph, touch: &Touch, stay: &Stay, pairs: bool) -> bool {
    if (touch.men.0 & stay.men.0) != 0 {
        return true;
    }
    match (stay.from == NONE, stay.to == NONE) {
        (true, true) => return false,
        (true, false) => graph.before(stay.to, touch.by),
        (false, true) => graph.before(touch.after, stay.from),
        (false, false) if pairs => graph.either((touch.after, stay.from), (stay.to, touch.by)),
        _ => {}
    }
    true
}

/// Whether a man may die on this square.
fn dies_on(life: &Life, square: Square) -> bool {
    match life.fate {
        Fate::Rests => false,
        Fate::Dies(_) => life.end == square,
        Fate::Open => true,
    }
}
