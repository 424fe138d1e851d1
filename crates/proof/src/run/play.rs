//! Processing of one strategy: it is counted or searched, and the result is checked and recorded.

use crate::check::verify::verify;
use crate::enumerate::FoundStrategy;
use crate::run::part::RetractionRun;
use crate::run::record::RunCounts;
use crate::run::record::RunEvent;
use crate::run::record::StrategyNumber;
use crate::run::record::Success;
use crate::run::team::OpenSearch;
use crate::search::{self, PlayResult, ResidualCase, StrategySearcher};
use crate::strategy::condition::Analysed;
use crate::strategy::projection::project;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use umbrail_chess::geometry::Color;

/// Number of moves of a strategy from which the fill level of the table is measured again.
const MEASURE_MOVES: u64 = 1000;

impl RetractionRun<'_> {
    /// Searches a strategy, or one case of it. Returns the cases left to other workers.
    pub(crate) fn play(
        &self,
        worker: usize,
        members: &mut [StrategySearcher],
        found: &FoundStrategy,
        case: Option<ResidualCase>,
    ) -> Vec<ResidualCase> {
        let Some(player) = members.first_mut() else { return vec![] };
        let run = self.run;
        let params = run.params;
        let number =
            StrategyNumber { retraction: self.number, claim: found.claim, index: found.index };
        let _shown = run.run_control.watch.playing(worker, number, &found.strategy);
        let filters = case.is_none() && (params.histogram || params.condition.is_some());
        if filters && !self.filter(player, number, found) {
            return vec![];
        }
        let cancel = run.run_control.playing(worker, &run.enough);
        // A key that no other strategy has.
        let key = run.plays.fetch_add(1, Ordering::Relaxed);
        let announce =
            &|call: &_| self.team.announce(OpenSearch { number, worker, call: Arc::clone(call) });
        let (strategy, cancel) = (&found.strategy, &cancel);
        let mut played = match case {
            None => search::search_with_team(members, strategy, key, cancel, announce),
            Some(case) => search::search_left_case(members, strategy, key, case, cancel, announce),
        };
        let left = std::mem::take(&mut played.left);
        run.run_control.finished(worker);
        // Measuring takes as long as many short searches.
        if played.moves >= MEASURE_MOVES || key.is_multiple_of(64) {
            run.control.progress.fullness.set(run.table.fullness());
        }
        let success = self.judge(number, found, &played);
        let ended = played.complete || played.enough;
        if played.refused.is_none() {
            let free = played.free.map(i32::from);
            run.run_control.watch.finished(free, played.moves);
            self.keep_strategy(number, free, &found.strategy);
        }
        if let Some(success) = &success {
            run.control.notify(RunEvent::Success(Box::new(success.clone())));
        }
        let over = run.totals(|totals| {
            let report = &mut totals.report;
            totals.handled += 1;
            report.counts.moves += played.moves;
            match &played.refused {
                Some(refused) => {
                    report.refuse(refused.rule, &found.strategy);
                    report.enter(self.number, found.free.map(i32::from), false);
                }
                None => report.enter(self.number, played.free.map(i32::from), true),
            }
            match ended {
                true => report.counts.searched += u64::from(played.refused.is_none()),
                false => report.counts.dropped += 1,
            }
            if let Some(success) = &success {
                report.add(success.clone());
            }
            params.is_enough(report)
        });
        self.keep(self.claims.played(found.claim, !ended, |record| {
            record.counts.unrefuted += u64::from(played.refused.is_none());
            record.counts.searched += u64::from(ended && played.refused.is_none());
            record.counts.moves += played.moves;
            record.successes.extend(success);
        }));
        if over {
            run.enough.raise();
        }
        left
    }

    /// Returns true if a strategy is to be searched: not if strategies are only counted, or if it
    /// fails the condition, which is recorded.
    fn filter(
        &self,
        player: &mut StrategySearcher,
        number: StrategyNumber,
        found: &FoundStrategy,
    ) -> bool {
        let (run, params) = (self.run, self.run.params);
        let estimate = player.count_moves(&found.strategy);
        let passes = params.condition.as_ref().is_none_or(|condition| {
            estimate.as_ref().is_ok_and(|estimate| {
                condition.holds(&Analysed {
                    strategy: &found.strategy,
                    needed: &estimate.needed,
                    free: estimate.free.map(i32::from),
                })
            })
        });
        if passes && !params.histogram {
            return true;
        }
        let free = estimate
            .as_ref()
            .map_or(found.free.map(i32::from), |estimate| estimate.free.map(i32::from));
        // A strategy that analysis refutes needs no search, whatever the condition says.
        let enter =
            |counts: &mut RunCounts| counts.filtered += u64::from(estimate.is_ok() && !passes);
        if estimate.is_ok() {
            run.run_control.watch.finished(free, 0);
            self.keep_strategy(number, free, &found.strategy);
        }
        run.totals(|totals| {
            totals.handled += 1;
            totals.report.enter(self.number, free, estimate.is_ok());
            if let Err(refused) = &estimate {
                totals.report.refuse(refused.rule, &found.strategy);
            }
            enter(&mut totals.report.counts);
        });
        let dropped = params.histogram && estimate.is_ok();
        self.keep(self.claims.played(found.claim, dropped, |record| {
            record.counts.unrefuted += u64::from(estimate.is_ok());
            enter(&mut record.counts);
        }));
        false
    }

    /// Returns the moves that no piece needs, by color.
    fn free(&self, needed: &[u8; 32]) -> [i32; 2] {
        Color::ALL.map(|color| {
            let pieces = needed.iter().skip(16 * color.index()).take(16);
            let needed: i32 = pieces.map(|&moves| i32::from(moves)).sum();
            i32::from(self.earlier.problem.budget(color)) - needed
        })
    }

    /// Returns the success of a search, after replaying each game by the rules of chess alone.
    ///
    /// Games of a shorter problem get their tail, and belong to the strategy of the whole game, so
    /// retraction changes no verdict and no count.
    fn judge(
        &self,
        number: StrategyNumber,
        found: &FoundStrategy,
        played: &PlayResult,
    ) -> Option<Success> {
        let run = self.run;
        let mut games = Vec::with_capacity(played.games.len());
        let mut strategy = None;
        for game in &played.games {
            match project(game) {
                Err(why) => run.fault(format!("strategy {number}: {why}")),
                Ok(own) if own != found.strategy => {
                    run.fault(format!("strategy {number}: a game belongs to {own}"));
                }
                Ok(_) => {}
            }
            let whole: Vec<_> = game.iter().chain(&self.earlier.tail).copied().collect();
            if let Err(why) = verify(run.problem, &whole) {
                run.fault(format!("strategy {number}: {why}"));
                continue;
            }
            if games.contains(&whole) {
                run.fault(format!("strategy {number}: a game twice"));
                continue;
            }
            strategy = project(&whole).ok();
            games.push(whole);
        }
        Some(Success {
            number,
            strategy: strategy?,
            needed: played.needed,
            waypoints: played.waypoints.clone(),
            free: self.free(&played.needed),
            games,
            complete: played.complete,
        })
    }
}
