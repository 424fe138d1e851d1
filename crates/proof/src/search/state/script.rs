//! A plan laid out for playing: the legs of all men in one list, with what a node asks of them.

use crate::analyse::legs::Goal;
use crate::analyse::{Joint, Plan};
use crate::distance::cache::Quick;
use crate::distance::move_kind::Gait;
use crate::problem::man::{Man, MenSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Square};

/// One leg, ready to play.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    pub(crate) gait: Gait,
    pub(crate) goal: Goal,
    pub(crate) start: Square,
    pub(crate) field: u32,
    pub(crate) shunned: Bitboard,
    /// Squares that matter to this leg.
    pub(crate) touched: Bitboard,
    /// Squares that matter to this leg or a later one.
    pub(crate) ahead: Bitboard,
    pub(crate) after: u8,
    pub(crate) last: bool,
}

/// All legs, man by man.
pub(crate) struct Script {
    pub(crate) legs: Vec<Act>,
    /// The number of each man's first leg.
    pub(crate) first: [u16; 32],
    /// Men that live to the end.
    pub(crate) survivors: MenSet,
    /// Men that are pawns on their last leg.
    pub(crate) pawns_at_last: MenSet,
    /// Men that never move.
    pub(crate) fixed: MenSet,
    /// The number of the case, with what thinking made of it.
    pub(crate) case: u64,
    /// What pairs of men lose to each other.
    pub(crate) joint: Arc<Joint>,
    /// Where each man can ever stand.
    pub(crate) squares: [Bitboard; 32],
    /// Who takes it in the end.
    pub(crate) captor: [Option<Man>; 32],
    /// Who takes the victim of a capture en passant, by victim.
    pub(crate) passing_captor: [u8; 32],
}

impl Script {
    /// A number that tells what these men have to do; other strategies may ask the same of them.
    pub(crate) fn duties(&self, men: MenSet) -> u64 {
        let mut hasher = Quick::default();
        men.0.hash(&mut hasher);
        for man in men.men() {
            for leg in &self.legs[usize::from(self.first[man.index()])..] {
                (leg.goal, leg.gait).hash(&mut hasher);
                if leg.last {
                    break;
                }
            }
            self.captor[man.index()].hash(&mut hasher);
        }
        hasher.finish()
    }

    pub(crate) fn new(plan: &Plan) -> Self {
        let mut script = Self {
            legs: Vec::with_capacity(48),
            first: [0; 32],
            survivors: MenSet::EMPTY,
            pawns_at_last: MenSet::EMPTY,
            fixed: plan.fixed,
            case: plan.suppose.number(),
            joint: Arc::clone(&plan.joint),
            squares: [Bitboard::EMPTY; 32],
            captor: [None; 32],
            passing_captor: [crate::search::state::board::NOBODY; 32],
        };
        for life in &plan.lives {
            let man = life.man;
            script.first[man.index()] = script.legs.len() as u16;
            script.squares[man.index()] = life.squares();
            script.captor[man.index()] = life.captor;
            if life.survives() {
                script.survivors = script.survivors.with(man);
            }
            let mut ahead: Vec<Bitboard> = life
                .legs
                .iter()
                .rev()
                .scan(Bitboard::EMPTY, |all, leg| {
                    *all |= leg.touched;
                    Some(*all)
                })
                .collect();
            for (i, leg) in life.legs.iter().enumerate() {
                let last = i == life.last();
                if last && leg.gait.is_pawn() {
                    script.pawns_at_last = script.pawns_at_last.with(man);
                }
                if let Goal::Capture { victim, en_passant: true, .. } = leg.goal {
                    script.passing_captor[victim.index()] = man.number();
                }
                script.legs.push(Act {
                    gait: leg.gait,
                    goal: leg.goal,
                    start: leg.start,
                    field: leg.field,
                    shunned: leg.shunned,
                    touched: leg.touched,
                    ahead: ahead.pop().unwrap_or_default(),
                    after: leg.after,
                    last,
                });
            }
        }
        script
    }
}
