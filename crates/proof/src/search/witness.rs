//! Following a known game: is it still there after all thinking, and does no node of play lose it?

use crate::analyse::facts::{Untrue, judge};
use crate::analyse::{Effort, Matter, Plan, Refused, Suppose};
use crate::check::random::Dice;
use crate::distance::cache::Atlas;
use crate::problem::man::{Man, MenSet};
use crate::rules::{Rule, Rules};
use crate::search::Player;
use crate::search::depth_first::{Search, Setting};
use crate::search::state::moves::Choices;
use crate::search::state::script::Script;
use crate::strategy::Strategy;
use std::fmt;
use umbrail_chess::Move;
use umbrail_control::Cancel;

/// Where and how a game that exists was lost; each is a bug of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The strategy was refused.
    Refused(Refused),
    /// A fact of the analysis is not true of the game, and the rule that brings it in.
    Fact(Untrue, Option<Rule>),
    /// The bound of the array is too high.
    Array,
    /// A move of the game is not among those tried (ply from 1).
    Omitted(usize, Move),
    /// The position after a move is given up.
    Bound(usize, Move),
    /// The position after the last move is not taken for the goal.
    Goal,
    /// It is lost where its strategy is tried together with those that differ only in kinds of promoted men.
    Together(Box<Self>),
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refused) => write!(f, "the strategy is refused: {refused:?}"),
            Self::Fact(fact, rule) => {
                write!(f, "by {}, not true: {fact}", rule.map_or("counting", Rule::name))
            }
            Self::Array => f.write_str("given up before the first move"),
            Self::Omitted(ply, mv) => write!(f, "ply {ply}: {mv:?} is not tried"),
            Self::Bound(ply, mv) => write!(f, "ply {ply}: given up after {mv:?}"),
            Self::Goal => f.write_str("the end is not recognized"),
            Self::Together(lost) => write!(f, "together with other kinds of men: {lost}"),
        }
    }
}

impl std::error::Error for Lost {}

/// As if so many moves had been played.
const PLAYED: u64 = 200_000;

/// So many parties of men drawn by lot are asked as well.
const PARTIES: usize = 3;

impl Player {
    /// Follows a game of the strategy through analysis and play; gives what is left of the free moves.
    ///
    /// # Errors
    /// Where the game is lost.
    pub fn follow(
        &mut self,
        strategy: &Strategy,
        game: &[Move],
        effort: Effort,
    ) -> Result<Plan, Lost> {
        if self.options.rules.has(Rule::Kinds)
            && let Some((common, men)) = strategy.of_any_kinds()
        {
            let mut kinds = Suppose::default();
            kinds.kinds = men;
            let together = |lost| Lost::Together(Box::new(lost));
            self.follow_case(&common, kinds, game, effort).map_err(together)?;
        }
        self.follow_case(strategy, Suppose::default(), game, effort)
    }

    /// The same in a case.
    fn follow_case(
        &mut self,
        strategy: &Strategy,
        suppose: Suppose,
        game: &[Move],
        effort: Effort,
    ) -> Result<Plan, Lost> {
        let plan = self.plan(strategy, suppose, effort).map_err(Lost::Refused)?;
        judge(&plan, &self.atlas, game)
            .map_err(|untrue| self.blame((strategy, suppose), game, effort, untrue))?;
        let script = Script::new(&plan);
        let cancel = Cancel::default();
        let setting = Setting {
            problem: &self.problem,
            script: &script,
            atlas: &self.atlas,
            table: &self.table,
            options: &self.options,
            number: 0,
            shelves: None,
            places: None,
            cancel: &cancel,
            view: None,
            gauge: None,
        };
        let mut search = Search::new(&setting, &mut self.rows, &self.lore).ok_or(Lost::Array)?;
        // Rules that may take time only in proportion to play shall not be spared here.
        search.moves = PLAYED;
        // Nor shall it depend on which parties are asked.
        let mut dice =
            Dice::new(game.iter().fold(0, |seed, mv| {
                seed.wrapping_mul(31).wrapping_add(u64::from(mv.from().number()))
            }));
        for _ in 0..PARTIES {
            let some = (dice.roll(1 << 16) | dice.roll(1 << 16) << 16) as u32;
            search.ask(MenSet(some));
        }
        for (ply, &mv) in game.iter().enumerate() {
            let mut choices = Choices::new();
            search.list(&mut choices);
            let mut given_up = false;
            let mut made = None;
            for choice in &choices {
                let now = search.make(choice);
                let any_kind = suppose.kinds.contains(Man::new(choice.man));
                let is_it = |made: Move| {
                    made == mv || any_kind && (made.from(), made.to()) == (mv.from(), mv.to())
                };
                if search.last_move().is_some_and(is_it) {
                    given_up = !now.alive;
                    made = Some(now);
                    break;
                }
                search.unmake(choice, &now.undo);
            }
            if made.is_none() {
                return Err(Lost::Omitted(ply + 1, mv));
            }
            if given_up {
                return Err(Lost::Bound(ply + 1, mv));
            }
        }
        if search.is_at_goal() { Ok(plan) } else { Err(Lost::Goal) }
    }

    /// Adds the rules one by one until a fact is untrue.
    fn blame(
        &mut self,
        (strategy, suppose): (&Strategy, Suppose),
        game: &[Move],
        effort: Effort,
        untrue: Untrue,
    ) -> Lost {
        let all = self.options.rules;
        let mut rules = Rules::NONE;
        let mut blamed = None;
        for &rule in Rule::ALL.iter().filter(|&&rule| all.has(rule)) {
            rules = rules.set(rule, true);
            let mut atlas = Atlas::default();
            let matter = Matter { problem: &self.problem, strategy, rules, effort };
            let plan = matter.think(suppose, &mut atlas);
            if plan.is_ok_and(|plan| judge(&plan, &atlas, game).is_err()) {
                blamed = Some(rule);
                break;
            }
        }
        Lost::Fact(untrue, blamed)
    }
}
