//! A strategy with everything measured: the legs of all men, who never moves, and the free moves.

use crate::analyse::assumptions::Suppose;
use crate::analyse::legs::{Goal, Life};
use crate::analyse::pairs::{Joint, Shun};
use crate::analyse::{checks, deadlock};
use crate::distance::cache::Atlas;
use crate::distance::map::{Aim, NEVER};
use crate::distance::move_kind::Gait;
use crate::problem::Problem;
use crate::problem::man::{Man, MenSet};
use crate::rules::{Rule, Rules};
use crate::strategy::Strategy;
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Barriers of more squares than this bar next to nothing and are not looked at.
const BARRIER_MAX: u32 = 6;

/// How often a plan is measured again before it is taken as it is; each round is sound by itself.
const ROUNDS_MAX: usize = 24;

/// A strategy has no game, and the rule that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The rule; none when plain counting of moves was enough.
    pub rule: Option<Rule>,
    /// The man in whose life it showed, if it was one man's.
    pub man: Option<Man>,
}

impl Refused {
    /// By a rule, at a man.
    pub const fn by(rule: Rule, man: Man) -> Self {
        Self { rule: Some(rule), man: Some(man) }
    }
}

/// All 32 lives with their distances.
#[derive(Clone)]
pub struct Plan {
    /// By man.
    pub lives: Vec<Life>,
    /// Moves of each side.
    pub budget: [i16; 2],
    /// Moves that no man needs.
    pub free: [i16; 2],
    /// Men that never move.
    pub fixed: MenSet,
    /// Their squares.
    pub fixed_squares: Bitboard,
    /// Of which case it is. `away` is more than was asked for where men must step aside.
    pub suppose: Suppose,
    /// What pairs of men lose to each other; empty unless it was thought about.
    pub joint: Arc<Joint>,
}

impl Plan {
    /// Measures a strategy to closure: distances between the barriers known so far, then the squares of
    /// every man within the free moves, then the barriers that follow. `shuns` are squares known from
    /// elsewhere to be no stops.
    ///
    /// # Errors
    /// The rule by which the strategy has no game of at most the problem's length.
    pub fn new(
        problem: &Problem,
        strategy: &Strategy,
        suppose: Suppose,
        shuns: &[Shun],
        rules: Rules,
        atlas: &mut Atlas,
    ) -> Result<Self, Refused> {
        let lives = strategy.routes().map(|(man, route)| {
            let mut life = Life::new(man, route, suppose.away.contains(man));
            if suppose.kinds.contains(man) {
                life.forget_kind();
            }
            suppose.visits_of(man).for_each(|visit| life.visit(visit));
            let avoided = suppose.avoided(man);
            life.legs.iter_mut().for_each(|leg| leg.shunned |= avoided);
            life
        });
        let budget = Color::ALL.map(|color| problem.budget(color) as i16);
        let mut plan = Self {
            lives: lives.collect(),
            budget,
            free: budget,
            fixed: MenSet::EMPTY,
            fixed_squares: Bitboard::EMPTY,
            suppose,
            joint: Arc::default(),
        };
        plan.forbid_single_steps();
        for &(man, leg, squares) in shuns {
            if let Some(leg) = plan.lives[man.index()].legs.get_mut(usize::from(leg)) {
                leg.shunned |= squares;
            }
        }
        let mut barriers = plan.pawns_at_home(rules);
        for _ in 0..ROUNDS_MAX {
            plan.measure(&barriers, atlas)?;
            plan.find_squares(atlas);
            let mut next = plan.barriers(rules);
            plan.fixed = MenSet::EMPTY;
            plan.fixed_squares = Bitboard::EMPTY;
            for &(man, set) in next.iter().filter(|(_, set)| !set.more_than_one()) {
                plan.fixed = plan.fixed.with(man);
                plan.fixed_squares |= set;
            }
            if rules.has(Rule::Static) {
                for man in deadlock::shut_in(&plan) {
                    plan.fixed = plan.fixed.with(man);
                    plan.fixed_squares = plan.fixed_squares.with(man.origin());
                    next.retain(|&(other, _)| other != man);
                    next.push((man, Bitboard::of(man.origin())));
                }
            }
            next.sort_unstable_by_key(|&(man, set)| (set, man));
            let shunned = checks::shunned(&plan, rules);
            let mut same = next == barriers;
            for (life, shunned) in plan.lives.iter_mut().zip(&shunned) {
                for (leg, &squares) in life.legs.iter_mut().zip(shunned) {
                    same &= leg.shunned == leg.shunned | squares;
                    leg.shunned |= squares;
                }
            }
            if same {
                break;
            }
            barriers = next;
        }
        Ok(plan)
    }

    /// The life of a man.
    #[inline]
    pub fn life(&self, man: Man) -> &Life {
        &self.lives[man.index()]
    }

    /// A pawn taken en passant has made its double step and nothing else.
    fn forbid_single_steps(&mut self) {
        let captures: Vec<(Man, Square)> = self
            .lives
            .iter()
            .flat_map(|life| &life.legs)
            .filter_map(|leg| match leg.goal {
                Goal::Capture { square, victim, en_passant: true, .. } => Some((victim, square)),
                _ => None,
            })
            .collect();
        for (victim, square) in captures {
            for leg in &mut self.lives[victim.index()].legs {
                leg.shunned = leg.shunned.with(square);
            }
        }
    }

    /// Pawns that rest at home never move, whatever else is true.
    fn pawns_at_home(&self, rules: Rules) -> Vec<(Man, Bitboard)> {
        let stays = |life: &&Life| self.suppose.stay.contains(life.man);
        let home =
            self.lives.iter().filter(|life| stays(life) || life.man.is_pawn() && life.idle());
        let mut sets: Vec<_> =
            home.map(|life| (life.man, Bitboard::of(life.man.origin()))).collect();
        if !rules.has(Rule::Static) {
            sets.retain(|&(man, _)| self.suppose.stay.contains(man));
        }
        sets.sort_unstable_by_key(|&(man, set)| (set, man));
        sets
    }

    /// Sets all fields and least move numbers under these barriers, and the free moves.
    fn measure(&mut self, barriers: &[(Man, Bitboard)], atlas: &mut Atlas) -> Result<(), Refused> {
        let all: Vec<Bitboard> = barriers.iter().map(|&(_, set)| set).collect();
        let rule = match barriers.iter().find(|(_, set)| set.more_than_one()) {
            _ if all.is_empty() => None,
            None => Some(Rule::Static),
            Some(_) => Some(Rule::Barriers),
        };
        let mut others = Vec::with_capacity(all.len());
        let mut needed = [0i16; 2];
        // Whoever is no barrier himself walks between the same ones.
        let mut of_most = Gaits::default();
        for life in &mut self.lives {
            let own = barriers.iter().position(|&(man, _)| man == life.man);
            let moves = if let Some(own) = own {
                others.clear();
                others.extend_from_slice(&all[..own]);
                others.extend_from_slice(&all[own + 1..]);
                measure(life, &others, &mut Gaits::default(), atlas)
            } else {
                measure(life, &all, &mut of_most, atlas)
            };
            if moves >= u16::from(NEVER) {
                return Err(Refused { rule, man: Some(life.man) });
            }
            life.needed = moves as u8;
            needed[life.man.color().index()] += moves as i16;
        }
        self.free = [self.budget[0] - needed[0], self.budget[1] - needed[1]];
        if self.free.iter().any(|&free| free < 0) {
            return Err(Refused { rule, man: None });
        }
        Ok(())
    }

    /// Sets the squares of every leg within the free moves.
    fn find_squares(&mut self, atlas: &mut Atlas) {
        for life in &mut self.lives {
            let free = self.free[life.man.color().index()];
            for leg in &mut life.legs {
                let least = atlas.get(leg.field).moves[leg.start.index()];
                // After an absence the field at home says nothing of the walk that led away.
                let least =
                    if leg.goal == Goal::Stay(leg.start) && self.suppose.away.contains(life.man) {
                        life.needed
                    } else {
                        least
                    };
                let limit = (i16::from(least) + free).min(i16::from(NEVER) - 1) as u8;
                let squares = atlas.squares(leg.field, leg.start, limit);
                leg.stops = squares.stops;
                leg.touched = squares.touched;
            }
        }
    }

    /// The sets of squares of survivors that are small enough to bar something.
    ///
    /// *Admissible*: `stops` holds every square that a walk of at most the least number of moves and
    /// all free moves can stop on, leg by leg; a survivor stands on one of them at all times.
    fn barriers(&self, rules: Rules) -> Vec<(Man, Bitboard)> {
        let (fixed, loose) = (rules.has(Rule::Static), rules.has(Rule::Barriers));
        let set = |life: &Life| {
            let home = Bitboard::of(life.man.origin());
            (life.man, if self.suppose.stay.contains(life.man) { home } else { life.squares() })
        };
        let small = |&(man, set): &(Man, Bitboard)| {
            if self.suppose.stay.contains(man) {
                true
            } else if set.more_than_one() {
                loose && set.len() <= BARRIER_MAX
            } else {
                fixed
            }
        };
        self.lives.iter().filter(|life| life.survives()).map(set).filter(small).collect()
    }
}

/// The steps between the same barriers that have been asked for, by gait.
type Gaits = [Option<u32>; Gait::ALL];

/// Sets a life's fields between these barriers; its least number of moves, [`NEVER`] or more if none.
fn measure(life: &mut Life, barriers: &[Bitboard], known: &mut Gaits, atlas: &mut Atlas) -> u16 {
    let mut after: u16 = 0;
    let mut home = 0;
    for leg in life.legs.iter_mut().rev() {
        if after >= u16::from(NEVER) {
            return after;
        }
        leg.after = after as u8;
        let steps =
            *known[leg.gait as usize].get_or_insert_with(|| atlas.steps(leg.gait, barriers));
        leg.field = match leg.aim {
            Aim::Leave(from) => {
                // The walk home belongs to the same closed tour, so it is not counted twice.
                let field = atlas.leaving(steps, from, home);
                after -= u16::from(atlas.get(home).moves[from.index()]);
                leg.after = after as u8;
                field
            }
            aim => atlas.field(steps, aim, leg.shunned & !leg.landing()),
        };
        home = leg.field;
        after += u16::from(atlas.get(leg.field).moves[leg.start.index()]);
    }
    after
}
