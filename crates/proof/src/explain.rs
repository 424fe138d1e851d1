//! What becomes of one strategy, step by step: enumeration, analysis, search.

use crate::analyse::{Effort, StrategyRefutation};
use crate::enumerate::{EnumerationOptions, NodeRefutation, follow};
use crate::problem::Problem;
use crate::problem::man::Man;
use crate::run::parameters::table::Params;
use crate::search::{PlayResult, Player, PlayerOptions, RefutationTable};
use crate::strategy::Strategy;
use crate::strategy::waypoints::Waypoints;
use std::sync::Arc;
use umbrail_control::Cancel;

/// Takes one strategy of a problem through the steps of a run.
pub struct Explainer {
    problem: Problem,
    enumeration: EnumerationOptions,
    player: Player,
    smaller_table: Option<(u64, u64)>,
}

/// What analysis derives of a strategy that it does not refute.
#[derive(Clone, Debug)]
pub struct StrategyFacts {
    /// Moves that no man needs, by color.
    pub free: [i16; 2],
    /// Least number of moves of each man.
    pub needed: [u8; 32],
    /// Squares by which men must go.
    pub waypoints: Waypoints,
    /// Men that never move.
    pub fixed: Vec<Man>,
    /// Men that must leave their squares and come back.
    pub away: Vec<Man>,
}

impl Explainer {
    /// With the rules, the table size and the number of games of a run. Raising `cancel` ends a growth of the table.
    pub fn new(problem: &Problem, params: &Params, cancel: &Cancel) -> Self {
        let rules = params.rules;
        let options =
            PlayerOptions { rules, games_max: params.games_max, ..PlayerOptions::default() };
        let table = RefutationTable::fitting(params.table_bytes, params.table_splits, cancel);
        let smaller_table = table.shortfall(params.table_bytes);
        Self {
            smaller_table,
            problem: *problem,
            enumeration: EnumerationOptions { rules, sync_depth: params.sync_depth },
            player: Player::new(problem, Arc::new(table), options),
        }
    }

    /// The bytes required for the table, and those that it has, when there is not that much memory.
    pub fn smaller_table(&self) -> Option<(u64, u64)> {
        self.smaller_table
    }

    /// Whether enumeration emits the strategy; gives its free moves by color.
    ///
    /// # Errors
    /// The refutation of the node on its branch; none when the branch has no such child.
    pub fn enumerate(&self, strategy: &Strategy) -> Result<[u16; 2], Option<NodeRefutation>> {
        follow(&self.problem, &self.enumeration, strategy).map_err(|lost| lost.dead)
    }

    /// What analysis derives of it.
    ///
    /// # Errors
    /// The rule that refutes it.
    pub fn analyse(
        &mut self,
        strategy: &Strategy,
        effort: Effort,
    ) -> Result<StrategyFacts, StrategyRefutation> {
        let plan = self.player.analyse(strategy, effort)?;
        let mut needed = [0; 32];
        for sequence in &plan.sequences {
            needed[sequence.man.index()] = sequence.needed;
        }
        Ok(StrategyFacts {
            free: plan.free,
            needed,
            waypoints: self.player.waypoints(&plan),
            fixed: plan.fixed.men().collect(),
            away: plan.assumptions.away.men().collect(),
        })
    }

    /// Searches its games until they are all found, there are enough, or the search is stopped.
    pub fn play(&mut self, strategy: &Strategy, cancel: &Cancel) -> PlayResult {
        self.player.play(strategy, 1, cancel)
    }
}
