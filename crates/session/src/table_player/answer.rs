//! Answers to `go`, and games of orthodox chess, from a table.

use super::board::TableBoard;
use super::lookup::Choice;
use super::{DEPTH_MIN, Lookup, SHOWN_PLIES, Waiter, Wanted, rules};
use crate::command::Go;
use crate::event::Event;
use crate::job::Answer;
use crate::running_job::{AnswerGate, BestAnswer, JobKind, RunningJob};
use crate::table_store::covers;
use crate::{Session, tasks};
use std::time::{Duration, Instant};
use umbrail_control::Clock;
use umbrail_search as search;
use umbrail_tables::FairyBoard;

impl Session {
    /// Answers `go` in a position that the tables cover; returns false when the search answers.
    pub(crate) fn table_go(
        &mut self,
        go: &Go,
        gate: AnswerGate,
        at: Instant,
    ) -> Result<(), AnswerGate> {
        let fairy = self.at_tables();
        let board =
            if fairy { self.table_player.game.last().cloned() } else { self.covered_board() };
        let Some(board) = board else { return Err(gate) };
        let Some(found) = self.find(&board) else {
            match self.wanted(&board) {
                Ok(wanted) => self.start_build(&wanted, at),
                Err(why) => self.refuse(format!("there is no table of this position: {why}")),
            }
            if self.running.is_none() {
                return Err(gate);
            }
            self.table_player.wait(Waiter::Go(go.clone()));
            return Ok(());
        };
        let shown = self.options.multipv.max(1);
        let mut best = found.best.clone();
        if !fairy && let Some(wanted) = &go.search_moves {
            let among = |v: &&Choice| wanted.contains(&v.mv.name);
            best = found.moves.iter().find(among).cloned().or(best);
        }
        if fairy {
            for (index, choice) in found.moves.iter().take(shown).enumerate().rev() {
                self.write_choice(choice, &found, index + 1, 0);
            }
            let running = self.occupy(JobKind::Best(gate), None, Clock::started(at));
            self.running = Some(running);
        } else {
            let Ok(&position) = self.game.position() else { return Err(gate) };
            let watch = self.watch(position, None);
            let chosen = best.as_ref().map(|best| &best.mv.name);
            let rest = found.moves.iter().filter(|choice| Some(&choice.mv.name) != chosen);
            for (index, choice) in rest.take(shown - 1).enumerate() {
                if let Some(line) = self.chess_line(choice, &found, index + 2) {
                    self.write(Event::Thought(watch.thought(line)));
                }
            }
            let line = best.as_ref().and_then(|best| self.chess_line(best, &found, 1));
            let pv = line.as_ref().map(|line| line.pv.clone()).unwrap_or_default();
            let answer = search::SearchAnswer {
                best: pv.first().copied(),
                ponder: pv.get(1).copied(),
                line,
                ended: search::Ended::Complete,
            };
            let running = self.occupy(JobKind::Best(gate), Some(watch), Clock::started(at));
            self.running = Some(running);
            self.answer(Answer::Search(answer));
            return Ok(());
        }
        self.answer_best(match best {
            Some(choice) => BestAnswer::Table(choice.mv.name),
            None => BestAnswer::Search(tasks::no_move()),
        });
        Ok(())
    }

    /// Returns the board of an orthodox position that the endgame of the options covers.
    fn covered_board(&mut self) -> Option<TableBoard> {
        if self.options.tables.endgame.is_empty() || self.game.position().is_err() {
            return None;
        }
        self.table_complain();
        let endgame_setup = self.endgame_setup().ok()?;
        let mut setup = self.game.setup();
        // The game's en passant square is set only when the capture is possible.
        setup.en_passant = self.game.position().ok()?.en_passant();
        let board: FairyBoard = rules::read(&setup, true, &endgame_setup).ok()?;
        covers(endgame_setup.endgame.as_ref()?, &board).then_some(TableBoard::Chess(board))
    }

    /// Plays a table move in an orthodox position; returns false when the search has to find the
    /// move.
    pub(crate) fn chess_move_from_table(&mut self, at: Instant) -> bool {
        let Some(board) = self.covered_board() else { return false };
        let Some(found) = self.find(&board) else {
            let endgame =
                self.endgame_setup().ok().and_then(|endgame_setup| endgame_setup.endgame.clone());
            if let Some(endgame) = endgame {
                self.start_build(&Wanted::Chess(endgame), at);
            }
            let building = self.running.as_ref().is_some_and(RunningJob::is_building);
            self.partner.owes_move |= building;
            return building;
        };
        let Ok(&position) = self.game.position() else { return false };
        let line = found.best.as_ref().and_then(|b| self.chess_line(b, &found, 1));
        let Some(line) = line else { return false };
        let Some(&mv) = line.pv.first() else { return false };
        let watch = self.watch(position, None);
        self.write(Event::Thought(watch.thought(line)));
        let played = watch.played(mv);
        self.reply(played, None, at.elapsed());
        true
    }

    fn chess_line(&self, choice: &Choice, found: &Lookup, rank: usize) -> Option<search::PvLine> {
        let line = found.line(&choice.mv.after, SHOWN_PLIES);
        let mut position = *self.game.position().ok()?;
        let mut pv = vec![];
        for mv in std::iter::once(&choice.mv.name).chain(&line) {
            let Ok(mv) = umbrail_chess::parse_uci(&position, mv) else { break };
            position = position.after(mv);
            pv.push(mv);
        }
        let plies = choice.value.signed_plies().map_or(0, i64::unsigned_abs);
        let depth = u32::try_from(plies).unwrap_or(u32::MAX).max(DEPTH_MIN as u32);
        (!pv.is_empty()).then(|| search::PvLine {
            depth,
            seldepth: depth,
            multipv: rank,
            score: rules::score(choice.value),
            bound: search::Bound::Exact,
            nodes: found.moves.len() as u64,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: found.moves.len() as u64,
            pv,
        })
    }
}
