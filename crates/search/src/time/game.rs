//! Time of a game: the state that one search passes to the next, and the allowance of one search.

use super::Stability;
use crate::clock::{GameClock, TimeBudget};
use crate::constants::SearchConstants;
use crate::limits::{Limits, SearchParams, SearchRequest};
use crate::policy::TimeClamp;
use crate::policy::time_clamp::Unstable;
use crate::score::Value;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use umbrail_chess::Position;
use umbrail_chess::geometry::Color;
use umbrail_control::{Clock, lock};

/// State of the time of a game, kept between its searches.
#[derive(Debug, Default)]
pub(crate) struct GameTime {
    /// Set if the last search changed its best move late or had no time at all.
    unstable: AtomicBool,
    /// Set once nodes stood for the time of a game clock.
    bank: Mutex<Option<NodeBank>>,
    /// Score of the last search, if it had one.
    score: Mutex<Option<Value>>,
}

/// Nodes that stand for the time of a game clock.
#[derive(Clone, Copy, Debug)]
struct NodeBank {
    /// Nodes left in this game.
    left: u64,
    /// Nodes at the start of this game.
    base: u64,
}

/// Time and nodes that one search may spend.
#[derive(Debug)]
pub(crate) struct Allowance {
    budget: Option<TimeBudget>,
    node_limit: u64,
    /// Nodes that stand for a millisecond; none for real time.
    nodes_per_ms: Option<u64>,
    /// Score of the last search of the game, if there was one.
    last_score: Option<Value>,
    constants: SearchConstants,
}

impl GameTime {
    /// Returns the allowance of a search. A forced move gets little time.
    pub(crate) fn allot(
        &self,
        request: &SearchRequest,
        params: &SearchParams,
        policy: TimeClamp,
        is_forced: bool,
    ) -> Allowance {
        let mut limits = request.limits.clone();
        let nodes_per_ms = (params.nodestime > 0).then(|| u64::from(params.nodestime));
        if let (Some(clock), Some(per_ms)) = (&mut limits.clock, nodes_per_ms) {
            self.withdraw(clock, per_ms);
        }
        let budget = TimeBudget::new(&limits, params, played(&request.position)).map(|budget| {
            let budget = if is_forced { budget.hurried() } else { budget };
            let Limits { clock: Some(clock), movetime: None, nodes: None, depth: None, .. } =
                &limits
            else {
                return budget;
            };
            let overhead = Duration::from_millis(params.move_overhead_ms);
            // Relaxed: one search at a time writes and reads the flag.
            let unstable = Unstable(self.unstable.load(Ordering::Relaxed));
            policy.apply(budget, clock, overhead, unstable, is_forced)
        });
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let node_limit = match (&budget, nodes_per_ms) {
            (Some(budget), Some(per_ms)) => {
                node_limit.min((budget.hard.as_micros() as u64 * per_ms / 1_000).max(1))
            }
            _ => node_limit,
        };
        let last_score = *lock(&self.score);
        Allowance { budget, node_limit, nodes_per_ms, last_score, constants: params.constants }
    }

    /// Sets a clock to the nodes left in this game. With a move count to the next control, the
    /// clock sets the nodes again at every move.
    fn withdraw(&self, clock: &mut GameClock, per_ms: u64) {
        let shown = clock.left.as_millis() as u64 * per_ms;
        let mut bank = lock(&self.bank);
        let NodeBank { left, base } = *match &mut *bank {
            Some(kept) if clock.moves_to_go.is_none() => kept,
            bank => bank.insert(NodeBank { left: shown, base: shown }),
        };
        (clock.left, clock.base) =
            (Duration::from_millis(left / per_ms), Duration::from_millis(base / per_ms));
    }

    /// Ends a search: keeps its score, subtracts its nodes from the bank and adds the increment. An
    /// unstable search changed its best move late or had no time at all.
    pub(crate) fn settle(
        &self,
        allowance: &Allowance,
        limits: &Limits,
        nodes: u64,
        score: Option<Value>,
        is_unstable: bool,
    ) {
        *lock(&self.score) = score;
        self.unstable.store(is_unstable, Ordering::Relaxed);
        if let (Some(clock), Some(per_ms)) = (limits.clock, allowance.nodes_per_ms)
            && let Some(bank) = &mut *lock(&self.bank)
        {
            let gain = clock.increment.as_millis() as u64 * per_ms;
            bank.left = bank.left.saturating_sub(nodes) + gain;
        }
    }
}

/// Returns the number of plies played before a position.
fn played(position: &Position) -> u32 {
    let black = u32::from(position.turn() == Color::Black);
    2 * u32::from(position.fullmoves()).saturating_sub(1) + black
}

impl Allowance {
    /// Returns the limit of the nodes of all workers.
    pub(crate) fn node_limit(&self) -> u64 {
        self.node_limit
    }

    /// Returns the time at which the search stops; none without a limit or if nodes stand for time.
    pub(crate) fn hard(&self) -> Option<Duration> {
        self.budget.filter(|_| self.nodes_per_ms.is_none()).map(|budget| budget.hard)
    }

    /// Returns true if time limits the search and its clock runs.
    pub(crate) fn is_running(&self, clock: &Clock) -> bool {
        self.budget.is_some() && clock.is_running()
    }

    /// Returns true if no new iteration should start after these nodes. Time of pondering counts: the opponent has paid
    /// for it.
    pub(crate) fn is_spent(
        &self,
        nodes: u64,
        clock: &Clock,
        stability: &Stability,
        score: Value,
    ) -> bool {
        let fall_game = self.last_score.map_or(0, |last| last - score);
        let stability = Stability { fall_game, ..*stability };
        let spent = match self.nodes_per_ms {
            Some(per_ms) => Duration::from_micros(nodes * 1_000 / per_ms),
            None => clock.elapsed(),
        };
        self.budget.is_some_and(|budget| budget.is_spent(spent, &stability, &self.constants))
    }
}

#[cfg(test)]
mod tests {
    use super::GameTime;
    use crate::clock::GameClock;
    use crate::limits::{Limits, SearchParams, SearchRequest};
    use crate::policy::TimeClamp;
    use std::time::Duration;
    use umbrail_chess::Position;

    #[test]
    fn nodes_of_a_game_are_spent_and_earned_and_a_move_count_starts_again() {
        let ms = Duration::from_millis;
        let (game, params) =
            (GameTime::default(), SearchParams { nodestime: 10, ..SearchParams::default() });
        let search = |moves_to_go, nodes| {
            let clock =
                GameClock { left: ms(1_000), base: ms(1_000), increment: ms(5), moves_to_go };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let position = Position::startpos();
            let (history, root_moves) = (vec![], None);
            let request = SearchRequest { position, history, limits, root_moves, multipv: 1 };
            let allowance = game.allot(&request, &params, TimeClamp::Base, false);
            assert_eq!(allowance.hard(), None, "the clock does not stop the search");
            game.settle(&allowance, &request.limits, nodes, None, false);
            game.bank.lock().unwrap().map(|bank| (bank.left, bank.base))
        };
        assert_eq!(search(None, 2_000), Some((8_050, 10_000)));
        assert_eq!(search(None, 9_000), Some((50, 10_000)));
        assert_eq!(search(Some(9), 1_000), Some((9_050, 10_000)));
    }
}
