//! A session on its own thread, for parts of the program without a terminal or a GUI. It executes
//! requests one after another, and runs their jobs as a conversation would.

use super::jobs::Jobs;
use super::{PULSE, STATUS_STOPPED};
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval};
use umbrail_session::{Command, Domain, Effect, Event, Session};

/// Commands that belong together, and the receivers of their results.
pub struct SessionRequest {
    /// Commands, in order. A command that is refused or stopped ends the request.
    pub commands: Vec<Command>,
    /// Takes each event of the request. The callback must not block.
    pub notify: Box<dyn FnMut(&Event) + Send>,
    /// Takes the exit status of an equivalent subcommand (see [`umbrail_session::Status`]), once, at
    /// the end.
    pub done: Box<dyn FnOnce(u8) + Send>,
}

/// Request to the thread.
enum Wish {
    Do(u64, SessionRequest),
    Cancel(u64),
    Stop,
    Skip(Domain),
}

/// Handle of a session on its own thread. Dropping it stops running work and ends the thread.
pub struct SessionThread {
    wishes: UnboundedSender<Wish>,
    /// Number of requests so far.
    requests: AtomicU64,
}

/// A request that may be running, waiting, or done.
pub struct RequestHandle {
    wishes: UnboundedSender<Wish>,
    id: u64,
}

impl RequestHandle {
    /// Ends the request: a running one stops with its results so far, and a waiting one is not executed. Nothing happens
    /// to a request that is done.
    pub fn cancel(&self) {
        // Without the thread no request is left.
        let _ = self.wishes.send(Wish::Cancel(self.id));
    }
}

impl SessionThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system does not start a thread.
    pub fn start(session: Session) -> io::Result<Self> {
        let (wishes, received) = unbounded_channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        let body = move || runtime.block_on(Attendant::new(session, received).live());
        std::thread::Builder::new().name("session".to_owned()).spawn(body)?;
        Ok(Self { wishes, requests: AtomicU64::new(0) })
    }

    /// Executes this request when all earlier requests are done.
    pub fn request(&self, request: SessionRequest) -> RequestHandle {
        let id = self.requests.fetch_add(1, Ordering::Relaxed);
        // The thread ends only when this handle is dropped.
        let _ = self.wishes.send(Wish::Do(id, request));
        RequestHandle { wishes: self.wishes.clone(), id }
    }

    /// Stops the running request, which ends with its results so far. Waiting requests are not
    /// affected.
    pub fn stop(&self) {
        let _ = self.wishes.send(Wish::Stop);
    }

    /// Makes the running task of this domain skip its current part.
    pub fn skip(&self, domain: Domain) {
        let _ = self.wishes.send(Wish::Skip(domain));
    }
}

/// The running request.
struct Work {
    id: u64,
    left: VecDeque<Command>,
    notify: Box<dyn FnMut(&Event) + Send>,
    done: Box<dyn FnOnce(u8) + Send>,
}

/// State of the thread.
struct Attendant {
    session: Session,
    wishes: UnboundedReceiver<Wish>,
    jobs: Jobs,
    reports: UnboundedReceiver<super::jobs::Reported>,
    waiting: VecDeque<(u64, SessionRequest)>,
    work: Option<Work>,
}

impl Attendant {
    fn new(session: Session, wishes: UnboundedReceiver<Wish>) -> Self {
        let (notify, reports) = unbounded_channel();
        let (waiting, work) = (VecDeque::new(), None);
        Self { session, wishes, jobs: Jobs::new(notify), reports, waiting, work }
    }

    async fn live(mut self) {
        let effects = self.session.begin(Instant::now());
        self.perform(effects);
        let mut pulse = interval(PULSE);
        pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut listening = true;
        loop {
            self.go_on();
            if !listening && !self.jobs.is_running() {
                return;
            }
            tokio::select! {
                wish = self.wishes.recv(), if listening => match wish {
                    Some(Wish::Do(id, request)) => self.waiting.push_back((id, request)),
                    Some(Wish::Cancel(id)) => self.cancel(id),
                    Some(Wish::Stop) => self.stop(),
                    Some(Wish::Skip(domain)) => self.command(Command::Skip(domain)),
                    None => {
                        listening = false;
                        self.waiting.clear();
                        self.stop();
                    }
                },
                Some(reported) = self.reports.recv() => {
                    self.jobs.note(&reported.report);
                    let effects = self.session.report(reported.id, reported.report, Instant::now());
                    self.perform(effects);
                }
                _ = pulse.tick(), if self.session.is_busy() => {
                    let effects = self.session.pulse();
                    self.perform(effects);
                }
            }
        }
    }

    /// Executes commands as long as no job runs.
    fn go_on(&mut self) {
        while !self.session.is_busy() {
            let failed = self.session.exit_status() != 0;
            match &mut self.work {
                Some(work) if !failed && !work.left.is_empty() => {
                    if let Some(command) = work.left.pop_front() {
                        self.command(command);
                    }
                }
                Some(_) => {
                    if let Some(work) = self.work.take() {
                        (work.done)(self.session.exit_status());
                    }
                }
                None => {
                    let Some((id, SessionRequest { commands, notify, done })) =
                        self.waiting.pop_front()
                    else {
                        return;
                    };
                    self.session.forget_exit_status();
                    self.work = Some(Work { id, left: commands.into(), notify, done });
                }
            }
        }
    }

    fn cancel(&mut self, id: u64) {
        if self.work.as_ref().is_some_and(|work| work.id == id) {
            self.stop();
        } else if let Some(at) = self.waiting.iter().position(|(waiting, _)| *waiting == id)
            && let Some((_, request)) = self.waiting.remove(at)
        {
            (request.done)(STATUS_STOPPED);
        }
    }

    fn stop(&mut self) {
        if let Some(work) = &mut self.work {
            work.left.clear();
            self.command(Command::Stop);
        }
    }

    fn command(&mut self, command: Command) {
        let effects = self.session.command(command, Instant::now());
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Write(event) => {
                    if let Some(work) = &mut self.work {
                        (work.notify)(&event);
                    }
                }
                Effect::Start(start) => self.jobs.start(*start),
                // The process does not belong to this session, so neither does its log or its end.
                Effect::LogTo(_) | Effect::Quit(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SessionRequest, SessionThread};
    use std::sync::mpsc::{Receiver, channel};
    use umbrail_protocol::{Dialect, Json, Plain, Reader};
    use umbrail_session::Options;
    use umbrail_tasks::MODULES;

    fn request(line: &str) -> (SessionRequest, Receiver<Result<String, u8>>) {
        let (send, reported) = channel();
        let last = send.clone();
        let mut json = Json::new(MODULES);
        let request = SessionRequest {
            commands: Plain::new(MODULES, Reader::Script).parse(line).expect("a command"),
            notify: Box::new(move |event| {
                let mut printed = String::new();
                json.write(event, &mut printed);
                let _ = send.send(Ok(printed));
            }),
            done: Box::new(move |status| {
                let _ = last.send(Err(status));
            }),
        };
        (request, reported)
    }

    fn all(reported: &Receiver<Result<String, u8>>) -> (String, u8) {
        let mut text = String::new();
        loop {
            match reported.recv().expect("an end") {
                Ok(printed) => text += &printed,
                Err(status) => return (text, status),
            }
        }
    }

    #[test]
    fn requests_are_done_in_order_and_each_has_its_own_end() {
        let thread =
            SessionThread::start(umbrail_tasks::session(Options::default())).expect("a thread");
        let (bad, bad_reported) = request("egt stats KX!.K");
        let (good, good_reported) = request("steno solve vocabulary extended text 36~#");
        thread.request(bad);
        thread.request(good);
        let (text, status) = all(&bad_reported);
        assert!(status != 0 && text.contains("\"t\":\"error\""), "{status} {text}");
        let (text, status) = all(&good_reported);
        assert!(status == 0 && text.contains("Qh4#"), "{status} {text}");
    }

    #[test]
    fn cancelled_requests_stop_or_are_not_executed() {
        let thread =
            SessionThread::start(umbrail_tasks::session(Options::default())).expect("a thread");
        let (long, long_reported) = request("go infinite");
        let (waiting, waiting_reported) = request("steno solve vocabulary extended text 36~#");
        let (last, last_reported) = request("steno solve vocabulary extended text 36~#");
        let long = thread.request(long);
        let waiting = thread.request(waiting);
        let _ = thread.request(last);
        waiting.cancel();
        let (text, status) = all(&waiting_reported);
        assert!(text.is_empty() && status == super::STATUS_STOPPED, "{status} {text}");
        long.cancel();
        let (text, _) = all(&long_reported);
        assert!(text.contains("\"t\":\"end\""), "{text}");
        let (text, status) = all(&last_reported);
        assert!(status == 0 && text.contains("Qh4#"), "{status} {text}");
        // Cancelling what is done changes nothing.
        long.cancel();
        waiting.cancel();
    }

    #[test]
    fn stop_ends_what_is_at_work() {
        let thread =
            SessionThread::start(umbrail_tasks::session(Options::default())).expect("a thread");
        let (long, reported) = request("go infinite");
        thread.request(long);
        thread.stop();
        let (text, _) = all(&reported);
        assert!(text.contains("\"t\":\"end\""), "{text}");
    }
}
