//! The worker whose case it is: it makes tasks of each layer, does some of them, and puts the answers together.

use crate::analyse::Effort;
use crate::problem::man::MenSet;
use crate::search::depth_first::{SearchContext, SearchHalt, StrategySearch};
use crate::search::layers::ascent::Ascent;
use crate::search::layers::case::{LayerSizes, LayeredCase};
use crate::search::layers::kept::{KeptLayers, Layer, bytes_of};
use crate::search::layers::message::CaseOfTask;
use crate::search::layers::pace::RowTimes;
use crate::search::layers::piece::Packer;
use crate::search::layers::reached::{Ends, LayerPiece, PatternsHeard, parts_for};
use crate::search::layers::row::{RowFormat, digest_of};
use crate::search::layers::step::StepShape;
use crate::search::layers::variety::Variety;
use crate::search::options::PlayerOptions;
use crate::search::player::Player;
use crate::search::result::PlayResult;
use crate::search::state::script::Script;
use crate::search::team::context::TeamContext;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use umbrail_chess::Move;
use umbrail_chess::geometry::Color;
use umbrail_control::{Cancel, TaskBoard};

/// Half-moves from one layer to the next.
const STEP: u16 = 2;

/// Ways in which the men stand that choose parts, for each part.
const PLACEMENTS_FOR_PART: u64 = 3;

/// Searches a case in layers, together with the workers that take tasks from the board, and adds the result to what is known of the strategy's other
/// cases.
pub(crate) fn add_layered(
    player: &mut Player,
    of: &LayeredCase<'_>,
    cancel: &Cancel,
    board: Option<&dyn TaskBoard>,
    played: &mut PlayResult,
) {
    if played.enough || cancel.is_raised() {
        played.complete = false;
        return;
    }
    let kept = player.options;
    player.options.games_max -= played.games.len();
    player.options.moves_max = kept.moves_max.saturating_sub(played.moves).max(1);
    let case = match board {
        Some(_) => search_in_layers(player, of, cancel, board),
        // The server has lost it meanwhile. Alone, the search depth first takes less time.
        None => {
            player.options.assumptions = of.case.assumptions;
            player.depth_first(of, cancel)
        }
    };
    played.join(case);
    player.options = kept;
}

/// Searches a case in layers, together with the workers that take tasks from the board.
pub(super) fn search_in_layers(
    player: &mut Player,
    of: &LayeredCase<'_>,
    cancel: &Cancel,
    board: Option<&dyn TaskBoard>,
) -> PlayResult {
    let kept = player.options;
    player.options.assumptions = of.case.assumptions;
    let played = in_layers(player, of, cancel, board);
    player.options = kept;
    played
}

impl Player {
    /// The case at hand by the ordinary search.
    fn depth_first(&mut self, of: &LayeredCase<'_>, cancel: &Cancel) -> PlayResult {
        let team = TeamContext::default();
        self.attempt(of.strategy, of.key, cancel, Effort::Deep, u64::MAX, team)
    }
}

fn in_layers(
    player: &mut Player,
    of: &LayeredCase<'_>,
    cancel: &Cancel,
    board: Option<&dyn TaskBoard>,
) -> PlayResult {
    let plans = player.plans_of(of.strategy, of.case);
    let Some(plan) = plans.first() else {
        // Refused by analysis, or none of its plans is possible: the ordinary search says so.
        return player.depth_first(of, cancel);
    };
    let mut played =
        PlayResult { complete: true, ..PlayResult::before(plan, &player.cache.distances) };
    let (mut numbers, games_max) = (0, player.options.games_max);
    for (at, plan) in (0..).zip(&plans) {
        let options = PlayerOptions {
            games_max: games_max - played.games.len(),
            moves_max: player.options.moves_max.saturating_sub(played.moves).max(1),
            ..player.options
        };
        let script = Script::new(plan);
        let setting = SearchContext {
            problem: &player.problem,
            script: &script,
            distances: &player.cache.distances,
            table: &player.table,
            options: &options,
            number: of.key ^ u64::from(at) << 48,
            shared_cache: None,
            searching: None,
            cancel,
            view: player.view.as_deref(),
            gauge: player.gauge.as_deref(),
        };
        let case = CaseOfTask {
            number: of.number,
            strategy: of.strategy.clone(),
            case: of.case,
            plan: at,
            digest: digest_of(&script, player.problem.plies),
        };
        let search = StrategySearch::new(&setting, &mut player.blocked_maps, &player.store);
        let Some(mut search) = search else { continue };
        search.limit_moves(of.sizes.learning_moves);
        let mut ended = search.play();
        if ended == Err(SearchHalt::Stopped)
            && !cancel.is_raised()
            && search.moves < options.moves_max
        {
            search.limit_moves(u64::MAX);
            search.games.clear();
            let format = RowFormat::new(&script, search.root_board(), &search.needs());
            let mut layered = Layered {
                search: &mut search,
                format,
                case,
                board,
                cancel,
                sizes: of.sizes,
                moves_max: options.moves_max,
                moves: 0,
                numbers: &mut numbers,
                helpers: 0,
                longest: Duration::ZERO,
                patterns: PatternsHeard::default(),
                pace: RowTimes::default(),
            };
            match layered.all_games(options.games_max) {
                Ok(Some(games)) => {
                    let moves = layered.moves;
                    ended = if games.len() >= options.games_max {
                        Err(SearchHalt::Enough)
                    } else {
                        Ok(true)
                    };
                    search.games = games;
                    search.moves += moves;
                }
                // Too much for the memory.
                Ok(None) => {
                    let spent = played.moves + layered.moves + layered.search.moves;
                    drop(search);
                    let mut whole = player.depth_first(of, cancel);
                    whole.moves += spent;
                    return whole;
                }
                Err(halt) => ended = Err(halt),
            }
        }
        search.close(ended != Ok(false));
        played.complete &= matches!(ended, Ok(_) | Err(SearchHalt::Refuted));
        played.enough = ended == Err(SearchHalt::Enough);
        played.moves += search.moves;
        played.games.append(&mut search.games);
        if played.enough || !played.complete {
            break;
        }
    }
    played
}

/// The search of one plan in layers.
pub(super) struct Layered<'l, 'a> {
    pub(super) search: &'l mut StrategySearch<'a>,
    pub(super) format: RowFormat,
    pub(super) case: CaseOfTask,
    pub(super) board: Option<&'l dyn TaskBoard>,
    pub(super) cancel: &'l Cancel,
    pub(super) sizes: LayerSizes,
    pub(super) moves_max: u64,
    /// Moves of helpers.
    pub(super) moves: u64,
    /// Tasks so far, by which answers are told apart.
    pub(super) numbers: &'l mut u64,
    /// The number of workers that answered in the layer before.
    pub(super) helpers: usize,
    /// The longest time without an answer, behind which one came.
    pub(super) longest: Duration,
    pub(super) patterns: PatternsHeard,
    pub(super) pace: RowTimes,
}

impl Layered<'_, '_> {
    /// All games, at most `games_max`. None when a layer needs too much memory, or all of them together and there are games.
    fn all_games(&mut self, games_max: usize) -> Result<Option<Vec<Vec<Move>>>, SearchHalt> {
        let (mut root, plies) = (vec![], self.search.plies());
        let script = self.search.script();
        self.format.write(script, self.search.root_board(), &mut root);
        let rows: Arc<[u8]> = Packer::new(self.format.widths()).pack(&root).into();
        let mut parts = vec![vec![LayerPiece { from: 0, rows }]];
        let (mut kept, mut ends) = (KeptLayers::new(self.sizes.bytes), Ends::default());
        let (mut ply, mut rows, mut growth) = (0, 1, 8.0);
        let (mut variety, mut is_refuted) = (Variety::default(), false);
        // The layer of the array has one part.
        let mut men = MenSet::ALL;
        self.patterns.note(&self.search.tallies());
        while ply < plies && parts.iter().any(|pieces| !pieces.is_empty()) {
            if is_refuted || self.search.root_is_refuted() {
                return Err(SearchHalt::Refuted);
            }
            // One half-move, when the side with more placements shall choose the parts from there on.
            let is_chosen_well =
                rows < self.sizes.alone || StepShape::chooser(ply) == variety.larger();
            let step = if is_chosen_well { STEP.min(plies - ply) } else { 1 };
            let expected = (rows as f64 * growth) as u64;
            let count = parts_for(expected, self.sizes.part, self.helpers());
            let next = self.men_for(&variety, StepShape::chooser(ply + step), step, count);
            let shape = StepShape::whole(ply, step, count, next);
            let reached = self.reach(&parts, shape, rows)?;
            kept.push(Layer { ply, men, parts });
            men = next;
            parts = reached.pieces;
            if bytes_of(&parts) > self.sizes.bytes {
                return Ok(None);
            }
            ends.extend(reached.ends);
            (variety, is_refuted) = (reached.variety, reached.refuted);
            growth = (reached.rows as f64 / rows.max(1) as f64).clamp(0.1, 20.0);
            (ply, rows) = (ply + step, reached.rows);
        }
        if is_refuted {
            return Err(SearchHalt::Refuted);
        }
        if ends.is_empty() {
            return Ok(Some(vec![]));
        }
        let Some(layers) = kept.all() else { return Ok(None) };
        let (search, format) = (&mut *self.search, &self.format);
        let (games, known) = (vec![], BTreeMap::new());
        let mut ascent = Ascent { search, format, layers, games_max, games, known };
        for (end, from) in &ends {
            ascent.games_that_end(end, from)?;
        }
        let mut games = ascent.games;
        games.truncate(games_max);
        Ok(Some(games))
    }

    /// The men of a side that choose the parts of the next layer. A move of the others leads to no other part, so fewer positions come from several
    /// tasks, and fewer have to be sent. But parts are even only when the men stand in many more ways than there are parts.
    fn men_for(&self, variety: &Variety, side: Color, step: u16, parts: u32) -> MenSet {
        let sets = self.format.sets(side);
        // The sets of this layer were those of the side that chose its parts.
        let enough = variety.set_with(u64::from(parts) * PLACEMENTS_FOR_PART);
        let set = enough.filter(|_| step == STEP).and_then(|at| sets.get(at));
        set.or(sets.last()).copied().unwrap_or(MenSet::ALL)
    }
}
