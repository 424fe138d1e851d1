//! State graph of one piece: a state is a leg and a square, an edge is a move.

use crate::analyse::legs::{Goal, LegSequence};
use crate::distance::NEVER;
use crate::distance::cache::DistanceCache;
use crate::distance::map::before;
use crate::distance::move_kind::MoveKind;
use crate::problem::castling::{castled_square, castling_rook};
use crate::problem::piece::PieceId;
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Square};

/// Number that stands for no state.
pub(crate) const NOWHERE: u16 = u16::MAX;

/// A move between states.
#[derive(Clone, Debug)]
pub(crate) struct GraphEdge {
    pub(crate) from: u16,
    pub(crate) to: u16,
    /// Squares where no other piece may stand: the squares passed and the one entered; for castling
    /// all squares between king and rook.
    pub(crate) clear: Bitboard,
    /// Number of spare moves that the move costs.
    pub(crate) cost: u8,
    /// The captured piece.
    pub(crate) victim: Option<PieceId>,
    /// Squares that must not be attacked when the king castles.
    pub(crate) safe: Bitboard,
}

/// States of a piece within the free moves, numbered, with the moves between them.
pub(crate) struct StateGraph {
    pub(crate) piece: PieceId,
    /// Leg and square by state.
    pub(crate) states: Vec<(u8, Square)>,
    /// Move kind by state.
    pub(crate) move_kinds: Vec<MoveKind>,
    /// State numbers by leg and square.
    pub(crate) numbers: Vec<[u16; 64]>,
    pub(crate) edges: Vec<GraphEdge>,
    /// Edges by the state they leave.
    pub(crate) leaving: Vec<Vec<u32>>,
    /// Edges by the state they reach.
    pub(crate) reaching: Vec<Vec<u32>>,
    /// State in the initial position.
    pub(crate) first: u16,
    /// State in which the piece rests or is taken.
    pub(crate) last: u16,
    pub(crate) captor: Option<PieceId>,
    /// Moves that no piece of its side needs.
    pub(crate) free: i16,
    /// Squares relevant to its legs.
    pub(crate) touched: Bitboard,
    /// True if the piece castles.
    pub(crate) castles: bool,
}

impl StateGraph {
    /// Creates the graph of a piece whose side has `free` free moves; `None` if it has more than
    /// `most` states.
    pub(crate) fn new(
        sequence: &LegSequence,
        free: i16,
        distances: &DistanceCache,
        most: usize,
    ) -> Option<Self> {
        let mut graph = Self {
            piece: sequence.piece,
            states: Vec::new(),
            move_kinds: Vec::new(),
            numbers: vec![[NOWHERE; 64]; sequence.legs.len()],
            edges: Vec::new(),
            leaving: Vec::new(),
            reaching: Vec::new(),
            first: NOWHERE,
            last: NOWHERE,
            captor: sequence.captor,
            free,
            touched: sequence
                .legs
                .iter()
                .fold(Bitboard::of(sequence.piece.origin()), |all, leg| all | leg.touched),
            castles: matches!(sequence.legs[0].goal, Goal::Castle(_)),
        };
        let mut need = Vec::new();
        for (l, leg) in sequence.legs.iter().enumerate() {
            let map_id = distances.get(leg.map_id);
            for square in leg.stops.with(leg.start).squares() {
                let moves = map_id.moves[square.index()];
                if moves == NEVER {
                    continue;
                }
                graph.numbers[l][square.index()] = graph.states.len() as u16;
                graph.states.push((l as u8, square));
                graph.move_kinds.push(leg.move_kind);
                need.push(i16::from(moves) + i16::from(leg.after));
            }
        }
        graph.first = graph.number(0, sequence.piece.origin());
        graph.last = graph.number(sequence.last(), sequence.last_square());
        if graph.states.len() > most || graph.first == NOWHERE || graph.last == NOWHERE {
            return None;
        }
        for (from, &(l, square)) in graph.states.iter().enumerate() {
            let leg = &sequence.legs[usize::from(l)];
            let mut add = |to: u16, moves: i16, clear: Bitboard, victim, safe| {
                if to == NOWHERE {
                    return;
                }
                let cost = moves + need[usize::from(to)] - need[from];
                // A negative cost can only come from a state whose own distance is incomplete.
                if cost <= free {
                    let (from, cost) = (from as u16, cost.max(0) as u8);
                    graph.edges.push(GraphEdge { from, to, clear, cost, victim, safe });
                }
            };
            let numbers = &graph.numbers;
            let number = |l: usize, q: Square| numbers.get(l).map_or(NOWHERE, |row| row[q.index()]);
            let l = usize::from(l);
            let none = Bitboard::EMPTY;
            let way = |to: Square| attacks::between(square, to).with(to);
            let steps = distances.steps_of(leg.map_id);
            match leg.goal {
                Goal::Castle(wing) => {
                    let color = sequence.piece.color();
                    let king = PieceId::king(color);
                    let between =
                        attacks::between(king.origin(), castling_rook(color, wing).origin());
                    let to = castled_square(sequence.piece, wing);
                    let is_king = sequence.piece == king;
                    let safe = if is_king { way(to).with(square) } else { none };
                    add(number(l + 1, to), i16::from(is_king), between, None, safe);
                    continue;
                }
                Goal::Leave => {
                    let next = &sequence.legs[l + 1];
                    for to in (steps.to[square.index()] & !next.forbidden).squares() {
                        add(number(l + 1, to), 1, way(to), None, none);
                    }
                    continue;
                }
                Goal::Capture { square: goal, stood, victim, .. } => {
                    let lands = if leg.move_kind.is_pawn() {
                        leg.move_kind.attacks(square, none).contains(goal)
                    } else {
                        steps.to[square.index()].contains(goal)
                    };
                    if lands {
                        let clear = way(goal).with(stood);
                        add(number(l + 1, goal), 1, clear, Some(victim), none);
                    }
                }
                Goal::Promote { square: goal, .. } | Goal::Visit(goal) => {
                    if before(steps, goal, none).contains(square) {
                        add(number(l + 1, goal), 1, way(goal), None, none);
                    }
                }
                Goal::Stay(_) => {}
            }
            let mut quiet = steps.to[square.index()] & !leg.forbidden;
            if leg.move_kind.is_pawn() {
                quiet &= !(Bitboard::rank(0) | Bitboard::rank(7));
            }
            for to in quiet.squares() {
                add(number(l, to), 1, way(to), None, none);
            }
        }
        graph.leaving = vec![Vec::new(); graph.states.len() + 1];
        graph.reaching = vec![Vec::new(); graph.states.len() + 1];
        for (number, edge) in graph.edges.iter().enumerate() {
            graph.leaving[usize::from(edge.from)].push(number as u32);
            graph.reaching[usize::from(edge.to)].push(number as u32);
        }
        Some(graph)
    }

    /// Returns the state of a leg and a square.
    #[inline]
    pub(crate) fn number(&self, leg: usize, square: Square) -> u16 {
        self.numbers.get(leg).map_or(NOWHERE, |row| row[square.index()])
    }

    /// Returns the approximate memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let lists = 2 * size_of::<u32>();
        let edges = self.edges.len() * (size_of::<GraphEdge>() + lists);
        edges + self.states.len() * 64 + self.numbers.len() * size_of::<[u16; 64]>()
    }

    /// Returns the state of the captured piece.
    #[inline]
    pub(crate) fn gone(&self) -> u16 {
        self.states.len() as u16
    }

    /// Returns the final state: taken, or at rest.
    #[inline]
    pub(crate) fn end(&self) -> u16 {
        if self.captor.is_some() { self.gone() } else { self.last }
    }
}
