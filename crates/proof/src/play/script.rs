//! A plan laid out for playing: the legs of all men in one list, with what a node asks of them.

use crate::analysis::atlas::Quick;
use crate::analysis::gait::Gait;
use crate::analysis::life::Goal;
use crate::analysis::{Joint, Plan};
use crate::man::{Man, MenSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Square};

/// One leg, ready to play.
#[derive(Clone, Debug)]
pub(super) struct Act {
    pub(super) gait: Gait,
    pub(super) goal: Goal,
    pub(super) start: Square,
    pub(super) field: u32,
    pub(super) shunned: Bitboard,
    /// Squares that matter to this leg.
    pub(super) touched: Bitboard,
    /// Squares that matter to this leg or a later one.
    pub(super) ahead: Bitboard,
    pub(super) after: u8,
    pub(super) last: bool,
}

/// All legs, man by man.
pub(super) struct Script {
    pub(super) legs: Vec<Act>,
    /// The number of each man's first leg.
    pub(super) first: [u16; 32],
    /// Men that live to the end.
    pub(super) survivors: MenSet,
    /// Men that are pawns on their last leg.
    pub(super) pawns_at_last: MenSet,
    /// Men that never move.
    pub(super) fixed: MenSet,
    /// The number of the case, with what thinking made of it.
    pub(super) case: u64,
    /// What pairs of men lose to each other.
    pub(super) joint: Arc<Joint>,
    /// Where each man can ever stand.
    pub(super) squares: [Bitboard; 32],
    /// Who takes it in the end.
    pub(super) captor: [Option<Man>; 32],
    /// Who takes the victim of a capture en passant, by victim.
    pub(super) passing_captor: [u8; 32],
}

impl Script {
    /// A number that tells what these men have to do; other strategies may ask the same of them.
    pub(super) fn duties(&self, men: MenSet) -> u64 {
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

    pub(super) fn new(plan: &Plan) -> Self {
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
            passing_captor: [super::board::NOBODY; 32],
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
