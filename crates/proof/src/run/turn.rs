//! The turn of one strategy: it is counted or played, and what that gave is judged.

use crate::check::verify::verify;
use crate::enumerate::Found;
use crate::run::Fact;
use crate::run::helpers::Open;
use crate::run::part::Part;
use crate::run::verdict::{Counts, Number, Success};
use crate::search::{self, Played, Player};
use crate::strategy::condition::Analysed;
use crate::strategy::projection::project;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use umbrail_chess::geometry::Color;

/// A strategy that takes so many moves may fill the table noticeably.
const LONG: u64 = 1000;

impl Part<'_> {
    /// Plays a strategy that was found.
    pub(crate) fn play(&self, worker: usize, hands: &mut [Player], found: &Found) {
        let Some(player) = hands.first_mut() else { return };
        let run = self.run;
        let params = run.params;
        let number = Number { retraction: self.number, claim: found.claim, index: found.index };
        let _shown = run.steer.watch.playing(worker, number, &found.strategy);
        if (params.histogram || params.condition.is_some()) && !self.sift(player, number, found) {
            return;
        }
        let cancel = run.steer.playing(worker, &run.enough);
        // Any number will do as long as no other strategy has it.
        let key = run.plays.fetch_add(1, Ordering::Relaxed);
        let played = search::play_together(hands, &found.strategy, key, &cancel, &|call| {
            self.crew.announce(Open { number, call: Arc::clone(call) });
        });
        run.steer.finished(worker);
        // Looking takes as long as many a strategy.
        if played.moves >= LONG || key.is_multiple_of(64) {
            run.control.progress.fullness.set(run.table.fullness());
        }
        let success = self.judge(number, found, &played);
        let ended = played.complete || played.enough;
        if played.refused.is_none() {
            let free = played.free.map(i32::from);
            run.steer.watch.finished(free, played.moves);
            self.keep_strategy(number, free, &found.strategy);
        }
        if let Some(success) = &success {
            run.control.tell(Fact::Success(Box::new(success.clone())));
        }
        let over = run.harvest(|harvest| {
            let report = &mut harvest.report;
            harvest.handled += 1;
            report.counts.moves += played.moves;
            match &played.refused {
                Some(refused) => {
                    report.refuse(refused.rule, &found.strategy);
                    report.enter(self.number, found.free.map(i32::from), false);
                }
                None => report.enter(self.number, played.free.map(i32::from), true),
            }
            match ended {
                true => report.counts.played += 1,
                false => report.counts.dropped += 1,
            }
            if let Some(success) = &success {
                report.add(success.clone());
            }
            params.is_enough(report)
        });
        self.keep(self.ledger.played(found.claim, !ended, |record| {
            record.counts.kept += u64::from(played.refused.is_none());
            record.counts.played += u64::from(ended);
            record.counts.moves += played.moves;
            record.successes.extend(success);
        }));
        if over {
            run.enough.raise();
        }
    }

    /// Whether a strategy is to be played: not when strategies are only counted, and not when it does not fulfil the
    /// condition; then that is noted.
    fn sift(&self, player: &mut Player, number: Number, found: &Found) -> bool {
        let (run, params) = (self.run, self.run.params);
        let thought = player.think(&found.strategy);
        let passes = params.condition.as_ref().is_none_or(|condition| {
            thought.as_ref().is_ok_and(|thought| {
                condition.holds(&Analysed {
                    strategy: &found.strategy,
                    needed: &thought.needed,
                    free: thought.free.map(i32::from),
                })
            })
        });
        if passes && !params.histogram {
            return true;
        }
        let free = thought
            .as_ref()
            .map_or(found.free.map(i32::from), |thought| thought.free.map(i32::from));
        // What analysis refuses needs no playing, whatever the condition says.
        let enter = |counts: &mut Counts| match (thought.is_ok(), passes) {
            (false, _) => counts.played += 1,
            (true, false) => counts.filtered += 1,
            (true, true) => {}
        };
        if thought.is_ok() {
            run.steer.watch.finished(free, 0);
            self.keep_strategy(number, free, &found.strategy);
        }
        run.harvest(|harvest| {
            harvest.handled += 1;
            harvest.report.enter(self.number, free, thought.is_ok());
            if let Err(refused) = &thought {
                harvest.report.refuse(refused.rule, &found.strategy);
            }
            enter(&mut harvest.report.counts);
        });
        let dropped = params.histogram && thought.is_ok();
        self.keep(self.ledger.played(found.claim, dropped, |record| {
            record.counts.kept += u64::from(thought.is_ok());
            enter(&mut record.counts);
        }));
        false
    }

    /// The moves that no man needs, by color.
    fn free(&self, needed: &[u8; 32]) -> [i32; 2] {
        Color::ALL.map(|color| {
            let men = needed.iter().skip(16 * color.index()).take(16);
            let needed: i32 = men.map(|&moves| i32::from(moves)).sum();
            i32::from(self.earlier.problem.budget(color)) - needed
        })
    }

    /// The success that a play is, after each game was replayed by the rules alone.
    ///
    /// Games of a shorter problem get their tail, and belong to the strategy of the whole game: so the
    /// taking back of moves changes no verdict and no count.
    fn judge(&self, number: Number, found: &Found, played: &Played) -> Option<Success> {
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
            ways: played.ways.clone(),
            free: self.free(&played.needed),
            games,
            complete: played.complete,
        })
    }
}
