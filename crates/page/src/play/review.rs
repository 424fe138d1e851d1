//! Analysis of a whole game, as server-sent events: `evaluation` for each position, from the last to
//! the first, so that the transposition table knows what follows; then `over`, or `fault`. It ends
//! with the connection.

use super::super::SharedPage;
use super::super::events::{Events, refused};
use super::engines::{EngineError, LiveSearch, SearchOrder};
use super::live::{FaultRecord, LiveError, OverRecord, event};
use super::moves::Ending;
use super::number::number;
use super::record::Played;
use super::rules::castling;
use axum::extract::{Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc::{Sender, channel};
use tokio::sync::oneshot;
use umbrail_chess::{CastlingMode, Position, parse_uci};
use umbrail_control::lock;
use umbrail_protocol::line_record;
use umbrail_protocol::records::LineRecord;
use umbrail_session::event::{Event as Reported, Thought};
use umbrail_session::{Base, Bound, Go, Options};

/// Usual and largest time for a position, in milliseconds.
const TIME_MS: u32 = 300;
const TIME_MS_MAX: u32 = 60_000;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReviewQuery {
    /// Initial position of the game; empty for the standard one.
    fen: String,
    /// Moves in coordinates, with commas or blanks.
    moves: String,
    /// Castling rules: `standard`, `chess960`, or empty for those of the program.
    rules: String,
    /// Time for a position in milliseconds.
    movetime: String,
    /// Number of threads; empty for all.
    threads: String,
    /// Random name of the viewer.
    viewer: String,
}

/// Event with the evaluation of a position.
#[derive(Serialize)]
struct EvaluationRecord {
    /// Number of moves before the position.
    ply: usize,
    /// Best line; scores are for the side to move.
    line: Option<LineRecord>,
    /// End of the game in this position.
    ending: Option<Ending>,
}

/// A game whose positions are searched.
struct Review {
    played: Played,
    mode: CastlingMode,
    options: Options,
    time: Duration,
    threads: usize,
    viewer: String,
}

/// Streams the evaluations of a game.
pub(crate) async fn review(
    State(shared): State<SharedPage>,
    Query(wish): Query<ReviewQuery>,
) -> Response {
    let Ok(place) = Arc::clone(&shared.streams).try_acquire_owned() else {
        return refused();
    };
    let (send, events) = channel(1);
    match Review::read(&shared, &wish) {
        Ok(review) => {
            tokio::spawn(async move {
                let last = match review.run(&shared, &send).await {
                    Ok(()) => event("over", &OverRecord { best: None }),
                    Err(error) => event("fault", &FaultRecord { text: error.to_string() }),
                };
                let _ = send.send(last).await;
            });
        }
        Err(error) => {
            let _ = send.try_send(event("fault", &FaultRecord { text: error.to_string() }));
        }
    }
    Sse::new(Events::new(events, place)).keep_alive(KeepAlive::default()).into_response()
}

impl Review {
    fn read(shared: &SharedPage, wish: &ReviewQuery) -> Result<Self, LiveError> {
        let mode = castling(&shared.options, &wish.rules);
        let played = Played::read(&wish.fen, &wish.moves, mode)?;
        let most = u32::try_from(shared.engines.threads_max()).unwrap_or(u32::MAX);
        let ms = number("movetime", &wish.movetime, TIME_MS, TIME_MS_MAX)?;
        let mut options = shared.options.clone();
        options.chess960 = mode.is_chess960();
        options.analyse = true;
        Ok(Self {
            played,
            mode,
            options,
            time: Duration::from_millis(ms.into()),
            threads: number("threads", &wish.threads, most, most)? as usize,
            viewer: wish.viewer.chars().take(40).collect(),
        })
    }

    /// Returns the positions of the game, the initial one first.
    fn positions(&self) -> Vec<Position> {
        let mut positions: Vec<Position> =
            Position::from_setup(&self.played.setup, self.mode).into_iter().collect();
        for text in &self.played.moves {
            let next =
                positions.last().and_then(|last| Some(last.after(parse_uci(last, text).ok()?)));
            positions.extend(next);
        }
        positions
    }

    /// Searches all positions; returns early when the viewer has left.
    async fn run(&self, shared: &SharedPage, send: &Sender<Event>) -> Result<(), EngineError> {
        for (ply, position) in self.positions().iter().enumerate().rev() {
            let ending = Ending::of(position);
            let line = match ending {
                Some(_) => None,
                None => {
                    let (search, found) = self.begin(shared, ply).await?;
                    tokio::select! {
                        found = found => { drop(search); found.ok().flatten() }
                        // The search is dropped, and so stopped.
                        () = send.closed() => return Ok(()),
                    }
                }
            };
            let line = line.as_ref().map(line_record);
            let record = EvaluationRecord { ply, line, ending };
            if send.send(event("evaluation", &record)).await.is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Starts the search of a position; its result is the last exact line.
    async fn begin(
        &self,
        shared: &SharedPage,
        ply: usize,
    ) -> Result<(LiveSearch, oneshot::Receiver<Option<Thought>>), EngineError> {
        let base = Base::Setup(self.played.setup.clone().into());
        let order = SearchOrder {
            viewer: self.viewer.clone(),
            options: self.options.clone(),
            lines: 1,
            threads: self.threads,
            position: (base, self.played.moves[..ply].to_vec()),
            go: Go { movetime: Some(self.time), ..Go::default() },
        };
        let last: Arc<Mutex<Option<Thought>>> = Arc::default();
        let (kept, (send, found)) = (Arc::clone(&last), oneshot::channel());
        let notify = move |reported: &Reported| match reported {
            Reported::Thought(thought) if thought.line.bound == Bound::Exact => {
                *lock(&kept) = Some(thought.clone());
            }
            _ => {}
        };
        let done = move || {
            let _ = send.send(lock(&last).take());
        };
        let (search, _) = shared.engines.begin(order, notify, done).await?;
        Ok((search, found))
    }
}
