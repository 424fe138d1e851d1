//! All captures that are open at a node: captor, place in the captor's order, victim and square.

use crate::distance::NEVER;
use crate::enumerate::captures::captors::Captor;
use crate::enumerate::captures::deaths::{captured_itinerary, deaths_of, least_moves, passing};
use crate::enumerate::captures::sites::{CaptorSquares, Death, Manner, room, take, weighs};
use crate::enumerate::state::NodeState;
use crate::problem::piece::PieceId;
use crate::rules::{Rule, Rules};
use crate::strategy::itinerary::{Fate, Itinerary, ItineraryStop, StopKind};
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// A way to capture a victim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capture {
    /// Itinerary of the captor afterwards.
    pub captor: (PieceId, Itinerary),
    /// Itinerary of the victim afterwards.
    pub victim: (PieceId, Itinerary),
}

/// All ways to capture the open victims of a node, independently of each other: the squares and
/// roles with which each victim can end, and the pieces that can capture there.
#[derive(Debug, Default)]
pub(crate) struct CaptureOptions {
    /// Captors by color; only squares where some victim can end.
    hits: [Vec<CaptorSquares>; 2],
    /// All squares where each color can capture.
    squares: [Bitboard; 2],
    deaths: Vec<(PieceId, Death)>,
    passing: Vec<(PieceId, Square, Itinerary)>,
}

/// Number of options of one victim, and their least cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Survey {
    /// Upper bound on the number of ways to capture the victim.
    pub count: u32,
    /// Least number of own moves of the victim from its last decision to its capture.
    pub moves: u8,
}

impl CaptureOptions {
    /// Finds the possible ends of all open victims, and their captors.
    pub(crate) fn find(&mut self, state: &NodeState, rules: Rules) {
        self.deaths.clear();
        self.passing.clear();
        let mut ends = [Bitboard::EMPTY; 2];
        for victim in state.open.pieces() {
            let end = &mut ends[(!victim.color()).index()];
            deaths_of(state, victim, rules, |death| {
                *end |= death.squares;
                self.deaths.push((victim, death));
            });
            if let Some((landing, died)) = passing(state, victim, rules) {
                *end = end.with(landing);
                self.passing.push((victim, landing, died));
            }
        }
        for color in Color::ALL {
            let hits = &mut self.hits[color.index()];
            hits.clear();
            let within = ends[color.index()];
            if within.any() {
                for piece in PieceId::of_color(color) {
                    Captor { state, piece, rules, room: room(state, piece), within }.hits(hits);
                }
            }
            self.squares[color.index()] =
                hits.iter().fold(Bitboard::EMPTY, |all, hit| all | hit.squares);
        }
    }

    fn deaths(&self, victim: PieceId) -> impl Iterator<Item = &Death> {
        self.deaths.iter().filter(move |(piece, _)| *piece == victim).map(|(_, death)| death)
    }

    fn passing(&self, victim: PieceId) -> Option<&(PieceId, Square, Itinerary)> {
        self.passing.iter().find(|(piece, ..)| *piece == victim)
    }

    /// Returns the captors that can take en passant on a square.
    fn passers(&self, victim: PieceId, landing: Square) -> impl Iterator<Item = &CaptorSquares> {
        self.hits[(!victim.color()).index()]
            .iter()
            .filter(move |hit| hit.manner == Manner::Pawn && hit.squares.contains(landing))
    }

    /// Counts the ways to capture a victim, and computes the victim's least cost.
    pub(crate) fn survey(&self, state: &NodeState, victim: PieceId) -> Survey {
        let enemy = (!victim.color()).index();
        let itinerary = state.itinerary(victim);
        let mut survey = Survey { count: 0, moves: NEVER };
        for death in self.deaths(victim) {
            let squares = death.squares & self.squares[enemy];
            if squares.is_empty() {
                continue;
            }
            survey.moves = survey.moves.min(least_moves(state, victim, death, squares));
            for hit in &self.hits[enemy] {
                let ways = hit.squares & squares;
                if ways.any() && !itinerary.takes(hit.captor) {
                    survey.count += ways.len();
                }
            }
        }
        if let Some(&(_, landing, _)) = self.passing(victim) {
            let count = self.passers(victim, landing).count() as u32;
            if count > 0 {
                survey.moves = survey.moves.min(1);
                survey.count += count;
            }
        }
        survey
    }

    /// Returns all ways to capture a victim, with both itineraries evaluated and within budget.
    pub(crate) fn captures(
        &self,
        state: &NodeState,
        victim: PieceId,
        rules: Rules,
        found: &mut Vec<Capture>,
    ) {
        let enemy = (!victim.color()).index();
        let itinerary = state.itinerary(victim);
        let may_need = state.spare_captures(victim.color());
        let able = room(state, victim);
        for death in self.deaths(victim) {
            for square in (death.squares & self.squares[enemy]).squares() {
                let Some(mut died) = captured_itinerary(itinerary, victim, death.turn, square)
                else {
                    continue;
                };
                if !weighs(state, victim, &mut died, able) {
                    continue;
                }
                let need = i32::from(died.need) - i32::from(itinerary.need);
                if rules.has(Rule::PawnCaptures) && need > may_need {
                    continue;
                }
                let stop = ItineraryStop { square, kind: StopKind::Takes(victim) };
                for hit in &self.hits[enemy] {
                    if hit.squares.contains(square)
                        && !itinerary.takes(hit.captor)
                        && let Some(taking) = take(state, hit, stop, room(state, hit.captor))
                    {
                        died.fate = Fate::Dies(hit.captor);
                        let captor = (hit.captor, taking);
                        found.push(Capture { captor, victim: (victim, died) });
                    }
                }
            }
        }
        let Some(&(_, square, mut died)) = self.passing(victim) else { return };
        for hit in self.passers(victim, square) {
            let stop = ItineraryStop { square, kind: StopKind::TakesEnPassant(victim) };
            if let Some(taking) = take(state, hit, stop, room(state, hit.captor)) {
                died.fate = Fate::Dies(hit.captor);
                found.push(Capture { captor: (hit.captor, taking), victim: (victim, died) });
            }
        }
    }
}
