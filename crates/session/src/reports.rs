//! Reports of the running job: converts its facts and its answer to events.

use super::event::{Best, Event, Played, RootMove};
use super::job::Answer;
use super::job_context::JobReport;
use super::message::Completion;
use super::running_job::{AnswerState, BestAnswer, JobKind, RunningJob};
use super::search_progress::SearchProgress;
use super::status::Status;
use super::{Effect, Session, event};
use umbrail_search as search;

impl Session {
    /// Gives the withheld answer, if its gate is open now.
    pub(super) fn let_through(&mut self) {
        let Some(running) = &mut self.running else { return };
        if running.may_answer()
            && let AnswerState::Withheld(answer) = std::mem::take(&mut running.answer)
        {
            self.answer_best(answer);
        }
    }

    /// Gives the answer to a request for a move, or withholds it until its gate opens.
    pub(super) fn answer_best(&mut self, answer: BestAnswer) {
        let Some(mut running) = self.running.take() else { return };
        if !running.may_answer() {
            running.answer = AnswerState::Withheld(answer);
            self.running = Some(running);
            return;
        }
        match (answer, running.watch) {
            (BestAnswer::Table(text), _) => {
                self.write(Event::FromTable(event::FromTable::Best(text)));
            }
            (BestAnswer::Search(answer), Some(watch)) => self.best(watch, answer),
            (BestAnswer::Search(_), None) => {
                self.write(Event::Best(Best { best: None, ponder: None }));
            }
        }
    }

    pub(super) fn fact(&mut self, fact: JobReport) {
        if let JobReport::Table(progress) = fact {
            return self.table_progress(progress);
        }
        let Some(running) = &mut self.running else { return };
        let event = match (fact, &mut running.watch) {
            (JobReport::Search(search::SearchInfo::Depth(line)), Some(watch)) => {
                let silent = matches!(running.kind, JobKind::Ponder { .. } | JobKind::Hint);
                let event = (!silent).then(|| Event::Thought(watch.thought(line.clone())));
                if line.multipv == 1 {
                    watch.last = Some(line);
                }
                event
            }
            (
                JobReport::Search(search::SearchInfo::CurrentMove { depth, mv, number }),
                Some(watch),
            ) => {
                watch.current = Some((mv, number, depth));
                let loud = matches!(running.kind, JobKind::Best(_))
                    && watch.expects_root_move(running.clock.elapsed());
                loud.then(|| Event::RootMove(RootMove { played: watch.played(mv), depth, number }))
            }
            (JobReport::Search(search::SearchInfo::Fault(why)), _) => Some(Event::Trouble(why)),
            (JobReport::Search(search::SearchInfo::NoMate { moves }), Some(_)) => {
                Some(Event::Note(format!("no mate in {moves}")))
            }
            (JobReport::Branch(mv, nodes), Some(watch)) => {
                Some(Event::Branch { played: watch.played(mv), nodes })
            }
            (JobReport::BenchLine(number, count, fen, nodes), _) => {
                Some(Event::BenchLine { number, count, fen, nodes })
            }
            (JobReport::Note(text), _) => Some(Event::Note(text)),
            (JobReport::Started, _) => {
                self.write_started();
                None
            }
            (JobReport::Message(message), _) => Some(Event::Message(message)),
            (JobReport::Snapshot(snapshot), _) => Some(Event::Snapshot(snapshot)),
            (JobReport::Search(_) | JobReport::Branch(..), None) | (JobReport::Table(_), _) => None,
        };
        self.effects.extend(event.map(Effect::Write));
    }

    pub(super) fn answer(&mut self, answer: Answer) {
        let Some(mut running) = self.running.take() else { return };
        match (&mut running.kind, answer) {
            (JobKind::Best(_) | JobKind::Task { best: Some(_), .. }, Answer::Search(answer)) => {
                self.running = Some(running);
                self.answer_best(BestAnswer::Search(answer));
            }
            (JobKind::Perft { depth, since }, Answer::Perft { nodes, complete }) => {
                let (depth, time) = (*depth, since.elapsed());
                self.write(Event::Counted { depth, nodes, time, complete });
                self.conclude(complete);
            }
            (JobKind::Bench { since }, Answer::Bench { nodes, keys, complete }) => {
                let time = since.elapsed();
                self.write(Event::BenchDone { nodes, keys, time, complete });
                self.conclude(complete);
            }
            (JobKind::Bench { .. }, Answer::Refused(why)) => {
                self.refuse(why);
                self.catch_up();
            }
            (JobKind::Task { .. }, Answer::Task(completion)) => self.task_done(running, completion),
            (JobKind::Task { .. }, Answer::Refused(why)) => self.task_refused(running, why),
            (JobKind::Build, Answer::Task(completion)) => self.built(completion),
            (_, Answer::Search(answer)) => self.game_answer(running, answer),
            // A job gives the kind of answer that belongs to it; another kind is an error in
            // `Job::run`.
            (
                _,
                Answer::Perft { .. }
                | Answer::Bench { .. }
                | Answer::Task(_)
                | Answer::Refused(_)
                | Answer::Opened(_),
            ) => {}
        }
    }

    fn conclude(&mut self, complete: bool) {
        self.exit = if complete { Status::Complete.exit() } else { Status::Stopped.exit() };
        self.catch_up();
    }

    /// Reports the answer of a search: its last line, then the move.
    fn best(&mut self, watch: SearchProgress, answer: search::SearchAnswer) {
        // The line of the last iteration has been reported; it is repeated only with newer figures.
        if let Some(line) = answer.line.clone().filter(|line| watch.is_newer(line)) {
            self.write(Event::Thought(watch.thought(line)));
        }
        let best = watch.best_move(&answer);
        let ponder = best.filter(|_| watch.ponder).and_then(|mv| {
            let before = watch.root.after(mv);
            let reply = answer.ponder.filter(|&reply| before.is_legal(reply))?;
            Some(Played { before, mv: reply, chess960: watch.chess960 })
        });
        self.write(Event::Best(Best { best: best.map(|mv| watch.played(mv)), ponder }));
    }

    pub(super) fn report_internal_error(&mut self, what: &str) {
        self.exit = Status::Internal.exit();
        self.write(Event::Trouble(internal_error(what)));
    }

    /// Handles a job that panicked or could not be started. The owed answer is still given: a legal
    /// move for a search, the end of a task.
    pub(super) fn failed(&mut self, given: String, status: Status) {
        if self.running.as_ref().is_some_and(RunningJob::is_building) {
            // Reported once, with the end of the build.
            let done = super::Message::new(super::Domain::Egt, super::message::Kind::Done);
            let done = done.printing(given);
            return self.answer(Answer::Task(Completion { done, status }));
        }
        self.exit = status.exit();
        self.write(Event::Trouble(given));
        let Some(running) = &mut self.running else { return };
        if let JobKind::Task { domain, .. } = running.kind {
            let done = super::Message::new(domain, super::message::Kind::Done);
            return self.answer(Answer::Task(Completion { done, status }));
        }
        if let Some(watch) = &running.watch
            && !matches!(running.kind, JobKind::Perft { .. })
        {
            let line = watch.last.clone();
            let best = line.as_ref().and_then(|line| line.pv.first().copied());
            let ended = search::Ended::Stopped;
            return self.answer(Answer::Search(search::SearchAnswer {
                best,
                ponder: None,
                line,
                ended,
            }));
        }
        self.running = None;
        self.catch_up();
    }
}

/// Returns the message about an internal error.
pub(super) fn internal_error(what: &str) -> String {
    format!("internal error, please report it: {what}")
}
