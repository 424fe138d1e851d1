//! Script: a plan compiled for search, with the legs of all pieces in one list.

use crate::analyse::legs::Goal;
use crate::analyse::{PairCosts, StrategyPlan};
use crate::distance::move_kind::MoveKind;
use crate::problem::piece::{PieceId, PieceMask};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Square};
use umbrail_control::FastHasher;

/// A compiled leg.
#[derive(Clone, Debug)]
pub(crate) struct CompiledLeg {
    pub(crate) move_kind: MoveKind,
    pub(crate) goal: Goal,
    pub(crate) start: Square,
    pub(crate) map_id: u32,
    pub(crate) forbidden: Bitboard,
    /// Squares relevant to this leg.
    pub(crate) touched: Bitboard,
    /// Squares relevant to this leg or a later one.
    pub(crate) ahead: Bitboard,
    pub(crate) after: u8,
    pub(crate) last: bool,
}

/// All legs, piece by piece.
pub(crate) struct CompiledPlan {
    pub(crate) legs: Vec<CompiledLeg>,
    /// Number of each piece's first leg.
    pub(crate) first: [u16; 32],
    /// Pieces that live to the end.
    pub(crate) survivors: PieceMask,
    /// Pieces that are pawns on their last leg.
    pub(crate) pawns_at_last: PieceMask,
    /// Pieces that never move.
    pub(crate) fixed: PieceMask,
    /// Key of the case and of its analysis.
    pub(crate) case: u64,
    /// Costs of pairs of pieces.
    pub(crate) pair_costs: Arc<PairCosts>,
    /// Squares where each piece can ever stand.
    pub(crate) squares: [Bitboard; 32],
    /// Captor, if the piece is taken in the end.
    pub(crate) captor: [Option<PieceId>; 32],
    /// Captor of an en passant capture, by victim.
    pub(crate) passing_captor: [u8; 32],
}

impl CompiledPlan {
    /// Returns a key of the routes of these pieces; they may have an equal key in other strategies.
    pub(crate) fn routes_key(&self, pieces: PieceMask) -> u64 {
        let mut hasher = FastHasher::default();
        pieces.0.hash(&mut hasher);
        for piece in pieces.pieces() {
            for leg in &self.legs[usize::from(self.first[piece.index()])..] {
                (leg.goal, leg.move_kind).hash(&mut hasher);
                if leg.last {
                    break;
                }
            }
            self.captor[piece.index()].hash(&mut hasher);
        }
        hasher.finish()
    }

    pub(crate) fn new(plan: &StrategyPlan) -> Self {
        let mut compiled = Self {
            legs: Vec::with_capacity(48),
            first: [0; 32],
            survivors: PieceMask::EMPTY,
            pawns_at_last: PieceMask::EMPTY,
            fixed: plan.fixed,
            case: plan.assumptions.number(),
            pair_costs: Arc::clone(&plan.pair_costs),
            squares: [Bitboard::EMPTY; 32],
            captor: [None; 32],
            passing_captor: [crate::search::state::NOBODY; 32],
        };
        for sequence in &plan.sequences {
            let piece = sequence.piece;
            compiled.first[piece.index()] = compiled.legs.len() as u16;
            compiled.squares[piece.index()] = sequence.squares();
            compiled.captor[piece.index()] = sequence.captor;
            if sequence.survives() {
                compiled.survivors = compiled.survivors.with(piece);
            }
            let mut ahead: Vec<Bitboard> = sequence
                .legs
                .iter()
                .rev()
                .scan(Bitboard::EMPTY, |all, leg| {
                    *all |= leg.touched;
                    Some(*all)
                })
                .collect();
            for (i, leg) in sequence.legs.iter().enumerate() {
                let last = i == sequence.last();
                if last && leg.move_kind.is_pawn() {
                    compiled.pawns_at_last = compiled.pawns_at_last.with(piece);
                }
                if let Goal::Capture { victim, en_passant: true, .. } = leg.goal {
                    compiled.passing_captor[victim.index()] = piece.number();
                }
                compiled.legs.push(CompiledLeg {
                    move_kind: leg.move_kind,
                    goal: leg.goal,
                    start: leg.start,
                    map_id: leg.map_id,
                    forbidden: leg.forbidden,
                    touched: leg.touched,
                    ahead: ahead.pop().unwrap_or_default(),
                    after: leg.after,
                    last,
                });
            }
        }
        compiled
    }
}
