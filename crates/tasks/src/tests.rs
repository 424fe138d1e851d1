//! Conversations in which jobs are executed.

use super::{MODULES, run, session};
use std::sync::Mutex;
use std::time::Instant;
use umbrail_control::Pool;
use umbrail_session::command::{Command, Play};
use umbrail_session::help::{Topic, page};
use umbrail_session::{
    Answer, Diagram, Effect, Event, JobContext, JobId, JobReport, Options, Report, Session, Start,
};

/// Runs a job; returns its facts and its answer.
pub(crate) fn execute(start: Start) -> (JobId, Vec<JobReport>, Answer) {
    let reported = Mutex::new(vec![]);
    let pool = Pool::new(1).unwrap();
    let notify = |fact| reported.lock().unwrap().push(fact);
    let job = JobContext {
        cancel: start.cancel,
        clock: &start.clock,
        progress: &start.progress,
        pool: &pool,
        skips: &start.skips,
        notify: &notify,
    };
    let answer = run(start.job, &job);
    (start.id, reported.into_inner().unwrap(), answer)
}

/// A session whose jobs wait for a call of [`execute`].
struct Talk {
    session: Session,
    jobs: Vec<Start>,
    /// Moves from a table, and answers to pings.
    received: Vec<String>,
}

impl Talk {
    fn play(&mut self, play: Play) -> &mut Self {
        let effects = self.session.command(Command::Play(play), Instant::now());
        self.take(effects)
    }

    fn report(&mut self, id: JobId, report: Report) -> &mut Self {
        let effects = self.session.report(id, report, Instant::now());
        self.take(effects)
    }

    fn take(&mut self, effects: Vec<Effect>) -> &mut Self {
        for effect in effects {
            match effect {
                Effect::Start(start) => self.jobs.push(*start),
                Effect::Write(Event::Pong(number)) => self.received.push(format!("pong {number}")),
                Effect::Write(Event::FromTable(given)) => {
                    self.received.push(format!("{given:?}").split('(').next().unwrap().to_owned());
                }
                _ => {}
            }
        }
        self
    }

    fn expects(&mut self, expected: &[&str]) {
        let mut received = std::mem::take(&mut self.received);
        received.retain(|given| given.starts_with("pong") || given == "Moved");
        assert_eq!(received, expected);
    }
}

#[test]
fn a_move_comes_when_its_table_is_there_and_not_behind_the_counting() {
    let mut options = Options::default();
    options.tables.endgame = "KQ.K".to_owned();
    let mut talk = Talk { session: session(options), jobs: vec![], received: vec![] };
    let fen = Diagram::of_fen("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    talk.play(Play::Variant("fairy".to_owned())).play(Play::Force).play(Play::Setup(fen));
    talk.play(Play::Go);
    // A ping after a due move waits for the move; a ping without a due move does not.
    talk.play(Play::Ping(1)).play(Play::Force).play(Play::Ping(2)).play(Play::Go);
    talk.play(Play::Ping(3));
    talk.expects(&["pong 2"]);
    let (id, facts, answer) = execute(talk.jobs.pop().unwrap());
    for fact in facts {
        talk.report(id, Report::Progress(fact));
    }
    talk.expects(&["Moved", "pong 1", "pong 3"]);
    talk.report(id, Report::Answer(answer));
    talk.expects(&[]);
}

#[test]
fn a_page_of_help_names_everything_below_it() {
    let of = |domain, verb| page(&Topic::of(domain, verb), MODULES).join("\n");
    for module in MODULES {
        let domain = module.domain.word();
        let verbs = of(domain, "");
        for verb in module.verbs {
            assert!(verbs.contains(verb.help), "{domain} {}", verb.name);
            assert!(of("", "").contains(verb.name), "{domain} {}", verb.name);
            let keys = of(domain, verb.name);
            assert!(verb.all_keys().all(|key| keys.contains(key.help)), "{}", verb.name);
            assert!(keys.contains("Example: "), "{}", verb.name);
        }
    }
    assert_eq!(of("spg", "nothing"), of("spg", ""));
}
