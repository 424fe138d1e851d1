//! A player: it takes strategies of one problem and searches each of them.

use crate::analyse::{Effort, Matter, Plan, Refused, Suppose, ways};
use crate::distance::cache::Atlas;
use crate::problem::Problem;
use crate::rules::Rules;
use crate::search::bound::Rows;
use crate::search::depth_first::{Halt, POLL, Search, Setting};
use crate::search::learn::nogoods::Lore;
use crate::search::relax::cache::Shelves;
use crate::search::state::script::Script;
use crate::search::table::Table;
use crate::search::team::play_together;
use crate::search::team::searching::Places;
use crate::search::team::view::View;
use crate::strategy::Strategy;
use crate::strategy::waypoints::Ways;
use std::sync::Arc;
use umbrail_chess::Move;
use umbrail_control::{Cancel, Gauge};

/// How to play.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which deductions are used.
    pub rules: Rules,
    /// After so many games of one strategy playing ends.
    pub games_max: usize,
    /// After so many moves of one strategy playing ends, incomplete.
    pub moves_max: u64,
    /// After so many moves a strategy is thought about deeply and begun again.
    pub trial_max: u64,
    /// Only the games in which idle men do as supposed.
    pub suppose: Suppose,
    /// Into at most so many cases a strategy is parted before it is played, by the ways of legs of two
    /// moves; 1 parts nothing.
    pub cases_max: usize,
    /// Players of the same case make way for each other only before this half-move; 0 for all.
    pub sync_plies: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            games_max: 2,
            moves_max: u64::MAX,
            trial_max: 50_000,
            suppose: Suppose::default(),
            cases_max: 1,
            sync_plies: 0,
        }
    }
}

/// What playing one strategy gave.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// Different games, at most `games_max`.
    pub games: Vec<Vec<Move>>,
    /// True when these are all games of the strategy.
    pub complete: bool,
    /// True when playing ended because `games_max` games were found.
    pub enough: bool,
    /// Moves made.
    pub moves: u64,
    /// Why the strategy has no game, if thinking showed it.
    pub refused: Option<Refused>,
    /// Moves that no man needs, by color, before the strategy is parted into cases.
    pub free: [i16; 2],
    /// Least number of moves of each man, in the case that has games if there is one.
    pub needed: [u8; 32],
    /// Squares by which men must go, in that case.
    pub ways: Ways,
}

impl Played {
    /// What is known of a strategy before it is played.
    pub(super) fn before(plan: &Plan, atlas: &Atlas) -> Self {
        let mut played = Self { free: plan.free, ..Self::default() };
        for life in &plan.lives {
            played.needed[life.man.index()] = life.needed;
        }
        played.ways = ways(plan, atlas);
        played
    }
}

/// One player's place among those who play the same.
#[derive(Clone, Copy, Default)]
pub(super) struct Seat<'a> {
    /// What the parties of all of them know.
    pub(super) shelves: Option<&'a Shelves>,
    /// Where all of them are.
    pub(super) places: Option<&'a Places>,
}

/// What thinking says about a strategy that it does not refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// Moves that no man needs, by color.
    pub free: [i16; 2],
    /// Least number of moves of each man.
    pub needed: [u8; 32],
}

/// Plays strategies of one problem, one after the other.
pub struct Player {
    pub(super) problem: Problem,
    pub(super) options: Options,
    pub(super) table: Arc<Table>,
    pub(super) atlas: Atlas,
    pub(super) rows: Rows,
    pub(super) lore: Arc<Lore>,
    pub(super) view: Option<Arc<View>>,
    pub(super) gauge: Option<Arc<Gauge>>,
}

impl Player {
    /// A player with a table that it may share with others.
    pub fn new(problem: &Problem, table: Arc<Table>, options: Options) -> Self {
        let (atlas, rows) = (Atlas::default(), Rows::default());
        let (lore, view, gauge) = (Arc::default(), None, None);
        Self { problem: *problem, options, table, atlas, rows, lore, view, gauge }
    }

    /// Shows what it plays through this window from now on.
    pub fn show(&mut self, view: Arc<View>) {
        self.view = Some(view);
    }

    /// Counts its moves here from now on, while it makes them.
    pub fn count(&mut self, gauge: Arc<Gauge>) {
        self.gauge = Some(gauge);
    }

    /// Learns together with all players that share this, of the same problem.
    pub fn share(&mut self, lore: Arc<Lore>) {
        self.lore = lore;
    }

    /// Plays a strategy. Its number must differ from those of all other strategies that use the table.
    ///
    /// Most strategies die within a few hundred moves; one that does not is thought about deeply and then
    /// played again from the beginning.
    pub fn play(&mut self, strategy: &Strategy, number: u64, cancel: &Cancel) -> Played {
        play_together(std::slice::from_mut(self), strategy, number, cancel, &|_| ())
    }

    pub(super) fn attempt(
        &mut self,
        strategy: &Strategy,
        number: u64,
        cancel: &Cancel,
        effort: Effort,
        moves_max: u64,
        seat: Seat<'_>,
    ) -> Played {
        let plan = match self.plan(strategy, self.options.suppose, effort) {
            Ok(plan) => plan,
            Err(refused) => {
                return Played { complete: true, refused: Some(refused), ..Played::default() };
            }
        };
        let mut played = Played::before(&plan, &self.atlas);
        if let Some(view) = &self.view {
            view.attempt(played.needed, plan.free, &played.ways);
        }
        let mut options = self.options;
        options.moves_max = options.moves_max.min(moves_max);
        let plans = if effort == Effort::Deep && options.cases_max > 1 {
            let (problem, rules) = (&self.problem, options.rules);
            let matter = Matter { problem, strategy, rules, effort };
            matter.cases(plan, options.cases_max, &mut self.atlas)
        } else {
            vec![plan]
        };
        played.complete = true;
        for (case, plan) in (0..).zip(&plans) {
            // What fails in one case may not fail in another.
            self.run(plan, &mut options, number ^ case << 48, seat, cancel, &mut played);
            options.games_max = self.options.games_max - played.games.len();
            if played.enough || !played.complete {
                break;
            }
        }
        played
    }

    /// Plays one case of a strategy and adds what it gives.
    fn run(
        &mut self,
        plan: &Plan,
        options: &mut Options,
        number: u64,
        seat: Seat<'_>,
        cancel: &Cancel,
        played: &mut Played,
    ) {
        let script = Script::new(plan);
        let setting = Setting {
            problem: &self.problem,
            script: &script,
            atlas: &self.atlas,
            table: &self.table,
            options,
            number,
            shelves: seat.shelves,
            places: seat.places,
            cancel,
            view: self.view.as_deref(),
            gauge: self.gauge.as_deref(),
        };
        let Some(mut search) = Search::new(&setting, &mut self.rows, &self.lore) else {
            return;
        };
        let ended = search.play();
        search.close(ended != Ok(false));
        played.complete &= matches!(ended, Ok(_) | Err(Halt::Refuted));
        played.enough = ended == Err(Halt::Enough);
        let moves = search.moves;
        if let Some(gauge) = &self.gauge {
            gauge.add(moves & POLL);
        }
        played.moves += moves;
        played.games.append(&mut search.games);
        options.moves_max = options.moves_max.saturating_sub(moves).max(1);
        self.lore.note_play(moves);
    }

    /// What thinking says about a strategy, without playing it.
    ///
    /// # Errors
    /// Why it has no game.
    pub fn think(&mut self, strategy: &Strategy) -> Result<Thought, Refused> {
        let plan = self.plan(strategy, self.options.suppose, Effort::Quick)?;
        let mut needed = [0; 32];
        for life in &plan.lives {
            needed[life.man.index()] = life.needed;
        }
        Ok(Thought { free: plan.free, needed })
    }

    /// All that thinking finds out about a strategy.
    ///
    /// # Errors
    /// Why it has no game.
    pub fn study(&mut self, strategy: &Strategy, effort: Effort) -> Result<Plan, Refused> {
        self.plan(strategy, self.options.suppose, effort)
    }

    /// The squares by which the men of a plan must go.
    pub fn ways(&self, plan: &Plan) -> Ways {
        ways(plan, &self.atlas)
    }

    /// Thinks about a strategy.
    pub(super) fn plan(
        &mut self,
        strategy: &Strategy,
        suppose: Suppose,
        effort: Effort,
    ) -> Result<Plan, Refused> {
        if self.atlas.trim() {
            self.rows.clear();
        }
        self.rows.trim();
        let (problem, rules) = (&self.problem, self.options.rules);
        Matter { problem, strategy, rules, effort }.think(suppose, &mut self.atlas)
    }
}
