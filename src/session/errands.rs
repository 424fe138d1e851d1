//! Running errands: at most one job at a time, `start` before it, `done` exactly once behind it.

use super::busy::{Busy, Gate, Purpose};
use super::errand::{Domain, Ending, Errand, Kind, News, Prepared, Steps, Surroundings, room};
use super::event::Event;
use super::job::{Answer, Job, Status};
use super::{Session, Value};
use crate::control::Clock;
use crate::search;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

impl Session {
    pub(super) fn errand(&mut self, errand: &Errand, at: Instant) {
        self.run_errand(errand, None, at);
    }

    /// `go` with a solver chosen: the diagram on the board is its task. With a gate a best move is owed,
    /// as in UCI.
    pub(super) fn errand_from_board(&mut self, domain: Domain, gate: Option<Gate>, at: Instant) {
        let made = match room(self.rooms, domain) {
            None => Err(not_built(domain)),
            Some(room) => (room.from_board)(&self.surroundings()),
        };
        match made {
            Ok(errand) => self.run_errand(&errand, gate, at),
            Err(why) => {
                self.refuse_errand(domain, why);
                if let Some(gate) = gate {
                    self.owe_nothing(domain, gate, at);
                }
            }
        }
    }

    fn run_errand(&mut self, errand: &Errand, gate: Option<Gate>, at: Instant) {
        let domain = errand.domain;
        if self.busy.is_some() {
            return self.say(Event::News(News::error(domain, "busy")));
        }
        let room = room(self.rooms, domain);
        let prepared = match room {
            None => Err(not_built(domain)),
            Some(room) => common_limits(errand)
                .and_then(|limits| Ok((limits, (room.prepare)(errand, &self.surroundings())?))),
        };
        match prepared {
            Err(why) => {
                self.refuse_errand(domain, why);
                if let Some(gate) = gate {
                    self.owe_nothing(domain, gate, at);
                }
            }
            Ok((limits, Prepared { steps, workers })) => {
                let clock = Clock::started(at);
                if let Some(time) = limits.time {
                    clock.limit(time);
                }
                let reads = matches!(steps, Steps::Load(_));
                let job = Job::Errand { domain, verb: errand.verb, steps };
                let verb = room.and_then(|room| room.verb(errand.verb));
                let background = verb.is_some_and(|verb| verb.background);
                let begun = !reads;
                let purpose = Purpose::Errand { domain, since: at, begun, background, best: gate };
                let threads = limits.threads.or(workers).unwrap_or(self.options.threads);
                if begun {
                    let id = self.jobs + 1;
                    self.say(Event::News(News::new(domain, Kind::Start).with("id", id)));
                }
                self.start(job, purpose, None, clock, threads);
            }
        }
    }

    /// The work of the running task begins: its files, if it names any, are read.
    pub(super) fn say_begun(&mut self) {
        if let Some(Busy { id, purpose: Purpose::Errand { domain, begun, .. }, .. }) =
            &mut self.busy
            && !std::mem::replace(begun, true)
        {
            let start = News::new(*domain, Kind::Start).with("id", id.0);
            self.say(Event::News(start));
        }
    }

    fn surroundings(&self) -> Surroundings {
        let (options, desk) = (self.options.clone(), self.desk.clone());
        Surroundings { options, desk, watched: self.watched }
    }

    /// A file of the task cannot be used.
    pub(super) fn errand_refused(&mut self, busy: Busy, why: String) {
        let Purpose::Errand { domain, best, .. } = busy.purpose else { return };
        self.refuse_errand(domain, why);
        if let Some(gate) = best {
            self.owe_nothing(domain, gate, Instant::now());
        }
        self.catch_up();
    }

    fn refuse_errand(&mut self, domain: Domain, why: String) {
        self.exit = Status::Refused.exit();
        self.say(Event::News(News::error(domain, why)));
    }

    /// The `go` that asked for a refused errand is still owed its one answer.
    fn owe_nothing(&mut self, domain: Domain, gate: Gate, at: Instant) {
        let purpose =
            Purpose::Errand { domain, since: at, begun: true, background: false, best: Some(gate) };
        self.busy = Some(self.occupy(purpose, None, Clock::started(at)));
        self.answer(Answer::Search(no_move()));
    }

    pub(super) fn errand_done(&mut self, busy: Busy, ending: Ending) {
        // Reading its files was stopped: there is no end without a start.
        self.busy = Some(busy);
        self.say_begun();
        let Some(mut busy) = self.busy.take() else { return };
        let Purpose::Errand { since, best, .. } = &mut busy.purpose else { return };
        let ms = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let owed = best.is_some();
        let mut done = ending.done;
        let front = [("id", Value::from(busy.id.0)), ("status", ending.status.word().into())];
        done.words.splice(0..0, front);
        let done = done.with("time", ms).with("nodes", busy.progress.nodes.get());
        self.exit = ending.status.exit();
        self.say(Event::News(done));
        if owed {
            self.busy = Some(busy);
            self.answer(Answer::Search(no_move()));
        }
        self.catch_up();
    }

    /// Tells the running errand of this domain to give up the part it is at.
    pub(super) fn skip(&mut self, domain: Domain) {
        match &self.busy {
            Some(Busy { purpose: Purpose::Errand { domain: running, .. }, skips, .. })
                if *running == domain =>
            {
                // Relaxed: the count guards no other data.
                skips.fetch_add(1, Ordering::Relaxed);
            }
            _ => {
                let why = "nothing runs that could skip a part";
                self.say(Event::News(News::error(domain, why)));
            }
        }
    }
}

fn not_built(domain: Domain) -> String {
    format!("{} ({}) is not built into this version yet", domain.word(), domain.about())
}

pub(super) fn no_move() -> search::SearchAnswer {
    let ended = search::Ended::Complete;
    search::SearchAnswer { best: None, ponder: None, line: None, ended }
}

/// The keys that mean the same for every verb.
struct CommonLimits {
    time: Option<Duration>,
    threads: Option<usize>,
}

fn common_limits(errand: &Errand) -> Result<CommonLimits, String> {
    let number = |key: &str, wants: std::ops::RangeInclusive<u64>| match errand.key(key) {
        None => Ok(None),
        Some(text) => match text.parse::<u64>() {
            Ok(number) if wants.contains(&number) => Ok(Some(number)),
            _ => Err(format!("{key} wants {}..{}, got {text}", wants.start(), wants.end())),
        },
    };
    let most = super::options::THREADS_MAX.unsigned_abs();
    Ok(CommonLimits {
        time: number("time", 0..=u64::MAX / 2000)?.map(Duration::from_millis),
        threads: number("threads", 1..=most)?.map(|threads| threads as usize),
    })
}
