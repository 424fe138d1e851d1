//! Measurement of a plan to a fixpoint: distances between barriers, squares within the free moves,
//! and the resulting barriers.

use crate::analyse::assumptions::Assumptions;
use crate::analyse::forbidden::ForbiddenSquares;
use crate::analyse::legs::{Goal, LegSequence};
use crate::analyse::plan::{StrategyPlan, StrategyRefutation};
use crate::analyse::{checks, deadlock};
use crate::distance::NEVER;
use crate::distance::cache::DistanceCache;
use crate::distance::map::LegTarget;
use crate::distance::move_kind::MoveKind;
use crate::problem::Problem;
use crate::problem::piece::{PieceId, PieceMask};
use crate::rules::{Rule, Rules};
use crate::strategy::Strategy;
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Maximum number of squares of a barrier; larger ones block next to nothing and are ignored.
const BARRIER_MAX: u32 = 6;

/// Maximum number of rounds of measuring; each round is sound.
const ROUNDS_MAX: usize = 24;

impl StrategyPlan {
    /// Measures a strategy to a fixpoint: distances between the barriers known so far, then the
    /// squares of every piece within the free moves, then the resulting barriers. `forbidden` are
    /// squares known from other deductions.
    ///
    /// # Errors
    /// Returns the rule that shows that the strategy has no game of at most the problem's length.
    pub(crate) fn new(
        problem: &Problem,
        strategy: &Strategy,
        assumptions: Assumptions,
        forbidden: &[ForbiddenSquares],
        rules: Rules,
        distances: &mut DistanceCache,
    ) -> Result<Self, StrategyRefutation> {
        let sequences = strategy.routes().map(|(piece, route)| {
            let mut sequence = LegSequence::new(piece, route, assumptions.away.contains(piece));
            if assumptions.kinds.contains(piece) {
                sequence.forget_kind();
            }
            assumptions.visits_of(piece).for_each(|visit| sequence.visit(visit));
            let avoided = assumptions.avoided(piece);
            sequence.legs.iter_mut().for_each(|leg| leg.forbidden |= avoided);
            sequence
        });
        let budget = Color::ALL.map(|color| problem.budget(color) as i16);
        let mut plan = Self {
            sequences: sequences.collect(),
            budget,
            free: budget,
            fixed: PieceMask::EMPTY,
            fixed_squares: Bitboard::EMPTY,
            assumptions,
            pair_costs: Arc::default(),
        };
        plan.forbid_single_steps();
        for &ForbiddenSquares { piece, leg, squares } in forbidden {
            if let Some(leg) = plan.sequences[piece.index()].legs.get_mut(usize::from(leg)) {
                leg.forbidden |= squares;
            }
        }
        let mut barriers = plan.pawns_at_home(rules);
        for _ in 0..ROUNDS_MAX {
            plan.measure(&barriers, distances)?;
            plan.find_squares(distances);
            let mut next = plan.barriers(rules);
            plan.fixed = PieceMask::EMPTY;
            plan.fixed_squares = Bitboard::EMPTY;
            for &(piece, set) in next.iter().filter(|(_, set)| !set.more_than_one()) {
                plan.fixed = plan.fixed.with(piece);
                plan.fixed_squares |= set;
            }
            if rules.has(Rule::FixedPieces) {
                for piece in deadlock::shut_in(&plan) {
                    plan.fixed = plan.fixed.with(piece);
                    plan.fixed_squares = plan.fixed_squares.with(piece.origin());
                    next.retain(|&(other, _)| other != piece);
                    next.push((piece, Bitboard::of(piece.origin())));
                }
            }
            next.sort_unstable_by_key(|&(piece, set)| (set, piece));
            let forbidden = checks::forbidden(&plan, rules);
            let mut same = next == barriers;
            for (sequence, forbidden) in plan.sequences.iter_mut().zip(&forbidden) {
                for (leg, &squares) in sequence.legs.iter_mut().zip(forbidden) {
                    same &= leg.forbidden == leg.forbidden | squares;
                    leg.forbidden |= squares;
                }
            }
            if same {
                break;
            }
            barriers = next;
        }
        Ok(plan)
    }

    /// Forbids single steps of pawns taken en passant, whose only move is the double step.
    fn forbid_single_steps(&mut self) {
        let captures: Vec<(PieceId, Square)> = self
            .sequences
            .iter()
            .flat_map(|sequence| &sequence.legs)
            .filter_map(|leg| match leg.goal {
                Goal::Capture { square, victim, en_passant: true, .. } => Some((victim, square)),
                _ => None,
            })
            .collect();
        for (victim, square) in captures {
            for leg in &mut self.sequences[victim.index()].legs {
                leg.forbidden = leg.forbidden.with(square);
            }
        }
    }

    /// Returns pawns that rest at home and therefore never move.
    fn pawns_at_home(&self, rules: Rules) -> Vec<(PieceId, Bitboard)> {
        let stays = |sequence: &&LegSequence| self.assumptions.stay.contains(sequence.piece);
        let home = self
            .sequences
            .iter()
            .filter(|sequence| stays(sequence) || sequence.piece.is_pawn() && sequence.idle());
        let mut sets: Vec<_> =
            home.map(|sequence| (sequence.piece, Bitboard::of(sequence.piece.origin()))).collect();
        if !rules.has(Rule::FixedPieces) {
            sets.retain(|&(piece, _)| self.assumptions.stay.contains(piece));
        }
        sets.sort_unstable_by_key(|&(piece, set)| (set, piece));
        sets
    }

    /// Sets all distance maps and least move counts under these barriers, and the free moves.
    fn measure(
        &mut self,
        barriers: &[(PieceId, Bitboard)],
        distances: &mut DistanceCache,
    ) -> Result<(), StrategyRefutation> {
        let all: Vec<Bitboard> = barriers.iter().map(|&(_, set)| set).collect();
        let rule = match barriers.iter().find(|(_, set)| set.more_than_one()) {
            _ if all.is_empty() => None,
            None => Some(Rule::FixedPieces),
            Some(_) => Some(Rule::ConfinedPieces),
        };
        let mut others = Vec::with_capacity(all.len());
        let mut needed = [0i16; 2];
        // Pieces that are not barriers share one set of barriers.
        let mut of_most = StepsByKind::default();
        for sequence in &mut self.sequences {
            let own = barriers.iter().position(|&(piece, _)| piece == sequence.piece);
            let moves = if let Some(own) = own {
                others.clear();
                others.extend_from_slice(&all[..own]);
                others.extend_from_slice(&all[own + 1..]);
                measure(sequence, &others, &mut StepsByKind::default(), distances)
            } else {
                measure(sequence, &all, &mut of_most, distances)
            };
            if moves >= u16::from(NEVER) {
                return Err(StrategyRefutation { rule, piece: Some(sequence.piece) });
            }
            sequence.needed = moves as u8;
            needed[sequence.piece.color().index()] += moves as i16;
        }
        self.free = [self.budget[0] - needed[0], self.budget[1] - needed[1]];
        if self.free.iter().any(|&free| free < 0) {
            return Err(StrategyRefutation { rule, piece: None });
        }
        Ok(())
    }

    /// Computes the squares of every leg within the free moves.
    fn find_squares(&mut self, distances: &mut DistanceCache) {
        for sequence in &mut self.sequences {
            let free = self.free[sequence.piece.color().index()];
            for leg in &mut sequence.legs {
                let least = distances.get(leg.map_id).moves[leg.start.index()];
                // After an excursion the map of the home leg does not cover the path away from
                // home.
                let least = if leg.goal == Goal::Stay(leg.start)
                    && self.assumptions.away.contains(sequence.piece)
                {
                    sequence.needed
                } else {
                    least
                };
                let limit = (i16::from(least) + free).min(i16::from(NEVER) - 1) as u8;
                let squares = distances.squares(leg.map_id, leg.start, limit);
                leg.stops = squares.stops;
                leg.touched = squares.touched;
            }
        }
    }

    /// Returns the sets of squares of survivors that are small enough to block something.
    ///
    /// *Admissible*: `stops` contains every square on which a path of at most the least number of
    /// moves plus all free moves can stop, leg by leg; a survivor stands on one of them at all
    /// times.
    fn barriers(&self, rules: Rules) -> Vec<(PieceId, Bitboard)> {
        let (fixed, loose) = (rules.has(Rule::FixedPieces), rules.has(Rule::ConfinedPieces));
        let set = |sequence: &LegSequence| {
            let home = Bitboard::of(sequence.piece.origin());
            (
                sequence.piece,
                if self.assumptions.stay.contains(sequence.piece) {
                    home
                } else {
                    sequence.squares()
                },
            )
        };
        let small = |&(piece, set): &(PieceId, Bitboard)| {
            if self.assumptions.stay.contains(piece) {
                true
            } else if set.more_than_one() {
                loose && set.len() <= BARRIER_MAX
            } else {
                fixed
            }
        };
        self.sequences
            .iter()
            .filter(|sequence| sequence.survives())
            .map(set)
            .filter(small)
            .collect()
    }
}

/// Steps under one set of barriers, by move kind.
type StepsByKind = [Option<u32>; MoveKind::ALL];

/// Sets the distance maps of a piece under these barriers. Returns its least number of moves,
/// [`NEVER`] or more if there is no path.
fn measure(
    sequence: &mut LegSequence,
    barriers: &[Bitboard],
    known: &mut StepsByKind,
    distances: &mut DistanceCache,
) -> u16 {
    let mut after: u16 = 0;
    let mut home = 0;
    for leg in sequence.legs.iter_mut().rev() {
        if after >= u16::from(NEVER) {
            return after;
        }
        leg.after = after as u8;
        let steps = *known[leg.move_kind as usize]
            .get_or_insert_with(|| distances.steps(leg.move_kind, barriers));
        leg.map_id = match leg.target {
            LegTarget::Leave(from) => {
                // The path home belongs to the same closed tour, so it is not counted twice.
                let map_id = distances.leaving(steps, from, home);
                after -= u16::from(distances.get(home).moves[from.index()]);
                leg.after = after as u8;
                map_id
            }
            target => distances.map(steps, target, leg.forbidden & !leg.landing()),
        };
        home = leg.map_id;
        after += u16::from(distances.get(leg.map_id).moves[leg.start.index()]);
    }
    after
}
