//! A live search, as server-sent events: `lines` with the current lines, and at the end `over` or
//! `fault`. The search runs as long as the connection; a viewer with another position opens another
//! stream.

use super::super::events::{Events, refused};
use super::super::page_error::PageError;
use super::super::{PageState, SharedPage};
use super::configuration::configured;
use super::engines::{EngineError, SearchOrder, hash_max};
use super::number::number;
use super::record::{GameError, Played};
use super::rules::castling;
use axum::extract::{Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{Sender, channel};
use tokio::sync::watch;
use umbrail_protocol::line_record;
use umbrail_protocol::records::LineRecord;
use umbrail_session::event::{Best, Event as Reported, Thought};
use umbrail_session::sample::Sample;
use umbrail_session::{Base, Bound, Go, Options};

/// Minimum time between two events of a viewer: eight a second.
const PAUSE: Duration = Duration::from_millis(125);
/// Time after which a connection that takes no events counts as lost.
const STALL: Duration = Duration::from_secs(20);
/// Maximum number of lines.
pub(super) const LINES_MAX: u32 = 8;
/// Maximum length of a viewer's name, in bytes.
const VIEWER_MAX: usize = 40;
/// Maximum thinking time of a move against a player, in milliseconds.
const MOVE_MS_MAX: u32 = 60_000;
/// Maximum time on a clock, in milliseconds: three hours.
const CLOCK_MS_MAX: u32 = 10_800_000;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LiveQuery {
    /// Initial position of the game; empty for the standard one.
    fen: String,
    /// Moves in coordinates, with commas or blanks.
    moves: String,
    /// Castling rules: `standard`, `chess960`, or empty for those of the program.
    rules: String,
    /// Number of lines; empty for one.
    lines: String,
    /// Number of threads; empty for all.
    threads: String,
    /// Size of the transposition table, in MiB; empty for that of the program.
    hash: String,
    /// Options, one a line.
    left: String,
    /// Random name of the viewer.
    viewer: String,
    /// Thinking time in milliseconds: the search then ends with a move.
    movetime: String,
    /// Clocks of White and Black and the increment of both, in milliseconds, in place of a thinking
    /// time: `60000,58000,1000`.
    clocks: String,
    /// Rating of the limited strength; empty for full strength.
    elo: String,
}

/// Reason why a search does not start.
#[derive(Debug, thiserror::Error)]
pub(super) enum LiveError {
    #[error(transparent)]
    Game(#[from] GameError),
    /// A field or a setting cannot be used.
    #[error(transparent)]
    Page(#[from] PageError),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Latest lines of a search.
#[derive(Clone, Default)]
struct Latest {
    /// Lines that are not yet complete to the depth of the first one.
    coming: Vec<Thought>,
    /// Lines to show.
    lines: Vec<Thought>,
    /// Nodes and time since the last line.
    sample: Option<Sample>,
    best: Option<Best>,
    is_over: bool,
}

/// Event with the current lines.
#[derive(Serialize)]
struct LinesRecord {
    /// Depth of the first line, in plies.
    depth: u32,
    /// Nodes searched.
    nodes: u64,
    /// Time in milliseconds.
    elapsed_ms: u64,
    /// Threads at work.
    threads: usize,
    /// Lines, best first. Scores are for the side to move.
    lines: Vec<LineRecord>,
}

/// Event at the end of a search.
#[derive(Serialize)]
pub(super) struct OverRecord {
    /// The move, of a search for one.
    pub(super) best: Option<String>,
}

/// Event with the reason why the search did not start.
#[derive(Serialize)]
pub(super) struct FaultRecord {
    pub(super) text: String,
}

impl Latest {
    /// Adds a line. The lines of a depth replace those of the last one together.
    fn add(&mut self, thought: &Thought, lines: usize) {
        let rank = thought.line.multipv;
        self.coming.truncate(rank.saturating_sub(1));
        self.coming.push(thought.clone());
        let is_whole = rank >= lines.min(thought.root.legal_moves().len());
        if is_whole || self.lines.is_empty() {
            self.lines = self.coming.clone();
        } else if rank == 1 && thought.line.bound != Bound::Exact {
            // A bound of the first line comes alone.
            self.lines[0] = thought.clone();
        }
    }

    fn record(&self, threads: usize) -> Option<LinesRecord> {
        let first = &self.lines.first()?.line;
        let lines: Vec<LineRecord> = self.lines.iter().map(line_record).collect();
        let sample = self.sample.map(|sample| (sample.nodes, sample.time.as_millis() as u64));
        let counts = lines.iter().map(|line| (line.nodes, line.elapsed_ms)).chain(sample);
        let (nodes, elapsed_ms) = counts.max_by_key(|(nodes, _)| *nodes)?;
        Some(LinesRecord { depth: first.depth, nodes, elapsed_ms, threads, lines })
    }
}

pub(super) fn event(name: &str, record: &impl Serialize) -> Event {
    let text = serde_json::to_string(record).unwrap_or_default();
    Event::default().event(name).data(text)
}

/// Streams a search.
pub(crate) async fn live(
    State(shared): State<SharedPage>,
    Query(wish): Query<LiveQuery>,
) -> Response {
    let Ok(place) = Arc::clone(&shared.streams).try_acquire_owned() else {
        return refused();
    };
    let (send, events) = channel(1);
    let mut events = Events::new(events, place);
    match begin(&shared, &wish, &send).await {
        Ok(Some(search)) => events.hold(search),
        Ok(None) => {
            let _ = send.try_send(event("over", &OverRecord { best: None }));
        }
        Err(error) => {
            let _ = send.try_send(event("fault", &FaultRecord { text: error.to_string() }));
        }
    }
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}

/// Starts the search, and the task that sends its lines. Without a legal move there is none.
async fn begin(
    shared: &SharedPage,
    wish: &LiveQuery,
    send: &Sender<Event>,
) -> Result<Option<impl Send + Sync + use<>>, LiveError> {
    let Some(order) = order(shared, wish)? else { return Ok(None) };
    let lines = order.lines;
    let (report, latest) = watch::channel(Latest::default());
    let report = Arc::new(report);
    let last = Arc::clone(&report);
    let notify = move |reported: &Reported| match reported {
        Reported::Thought(thought) => report.send_modify(|latest| latest.add(thought, lines)),
        Reported::Pulse(sample) => report.send_modify(|latest| latest.sample = Some(*sample)),
        Reported::Best(best) => report.send_modify(|latest| latest.best = Some(best.clone())),
        _ => {}
    };
    let done = move || last.send_modify(|latest| latest.is_over = true);
    let (search, threads) = shared.engines.begin(order, notify, done).await?;
    tokio::spawn(follow(latest, threads, send.clone(), search.stopper()));
    Ok(Some(search))
}

/// Returns the search of a request; none without a legal move.
fn order(shared: &PageState, wish: &LiveQuery) -> Result<Option<SearchOrder>, LiveError> {
    let mode = castling(&shared.options, &wish.rules);
    let played = Played::read(&wish.fen, &wish.moves, mode)?;
    if !played.position.has_legal_move() {
        return Ok(None);
    }
    let mut options = configured(&shared.options, &wish.left)?;
    options.show_wdl = true;
    options.chess960 = mode.is_chess960();
    let lines = number("lines", &wish.lines, 1, LINES_MAX)? as usize;
    let most = u32::try_from(shared.engines.threads_max()).unwrap_or(u32::MAX);
    let threads = number("threads", &wish.threads, most, most)? as usize;
    let hash = u32::try_from(options.search.hash_mib).unwrap_or(u32::MAX);
    let hash_most = u32::try_from(hash_max(&shared.options)).unwrap_or(u32::MAX);
    options.search.hash_mib = number("hash", &wish.hash, hash, hash_most)? as usize;
    let go = match wish.movetime.trim() {
        "" if !wish.clocks.is_empty() => {
            limit_strength(&mut options, &wish.elo)?;
            clocked(&wish.clocks)?
        }
        "" => {
            options.analyse = true;
            Go { infinite: true, ..Go::default() }
        }
        text => {
            limit_strength(&mut options, &wish.elo)?;
            let ms = number("movetime", text, 1, MOVE_MS_MAX)?;
            Go { movetime: Some(Duration::from_millis(ms.into())), ..Go::default() }
        }
    };
    let is_named = wish.viewer.len() <= VIEWER_MAX;
    let viewer = if is_named { wish.viewer.clone() } else { String::new() };
    let position = (Base::Setup(played.setup.into()), played.moves);
    Ok(Some(SearchOrder { viewer, options, lines, threads, position, go }))
}

/// Reads the clocks of a game.
fn clocked(text: &str) -> Result<Go, PageError> {
    let times: Vec<u32> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match times[..] {
        [white, black, more] if times.iter().all(|time| *time <= CLOCK_MS_MAX) => {
            let [white, black, more] = [white, black, more].map(|time| Some(i64::from(time)));
            Ok(Go { clocks: [white, black], increments: [more; 2], ..Go::default() })
        }
        _ => Err(PageError::Field {
            field: "clocks",
            expected: format!("three times from 0 to {CLOCK_MS_MAX} ms"),
            got: text.to_owned(),
        }),
    }
}

/// Limits the strength to a rating; empty for full strength.
fn limit_strength(options: &mut Options, elo: &str) -> Result<(), PageError> {
    if elo.trim().is_empty() {
        return Ok(());
    }
    options.search.limit_strength = true;
    options.set("UCI_Elo", Some(elo.trim()))?;
    Ok(())
}

/// Sends lines until the search is over or the viewer has left.
async fn follow(
    mut latest: watch::Receiver<Latest>,
    threads: usize,
    send: Sender<Event>,
    stop: impl Fn(),
) {
    loop {
        tokio::select! {
            changed = latest.changed() => if changed.is_err() { return },
            () = send.closed() => return,
        }
        let seen = latest.borrow_and_update().clone();
        let lines = seen.record(threads).map(|record| event("lines", &record));
        let best = seen.best.and_then(|best| best.best);
        let best = best.map(|best| umbrail_chess::to_uci(&best.before, best.mv, best.chess960));
        let over = seen.is_over.then(|| event("over", &OverRecord { best }));
        // A report without a line, such as a count of nodes, must not delay the first line.
        let is_sent = lines.is_some();
        for event in lines.into_iter().chain(over) {
            match tokio::time::timeout(STALL, send.send(event)).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return,
                // The connection is open, but the viewer does not read it.
                Err(_) => return stop(),
            }
        }
        if seen.is_over {
            return;
        }
        if is_sent {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::clocked;

    #[test]
    fn clocks_are_those_of_white_and_black() {
        let go = clocked("60000, 58000,1000").unwrap();
        assert_eq!((go.clocks, go.increments), ([Some(60_000), Some(58_000)], [Some(1_000); 2]));
        for text in ["1,2", "1,2,x", "-1,2,3", "10800001,1,0", "1,2,3,4"] {
            let why = clocked(text).unwrap_err().to_string();
            assert!(why.starts_with("clocks must be three times"), "{why}");
        }
    }
}
