//! What a run tells, as server-sent events: four times a second at most, however fast it goes, and more seldom when many
//! pages look on, since the processor belongs to the runs.
//!
//! An event `news` is an object with the new records, the latest sample, and the memory that the program takes; its number is that of the next record, so
//! that a browser that was away goes on where it was. `over` is the last; `elsewhere` comes in its place where another
//! process works on the run.

use super::run_page;
use super::work::{Progress, RunState};
use super::{ExplorerHandle, STREAMS_MAX};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::Deserialize;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use umbrail::control::lock;

/// Time from one event of a page to the next, at least.
const PAUSE: Duration = Duration::from_millis(250);
/// Events a second that all pages together are told: each costs some 35 microseconds of a processor.
const EVENTS_PER_SECOND: u32 = 64;

/// Bytes of a page of memory on the systems that tell them in pages.
const PAGE_BYTES: u64 = 4096;

#[derive(Deserialize)]
pub(super) struct From {
    /// The first record that the page does not have.
    #[serde(default)]
    from: usize,
}

pub(super) async fn stream(
    State(explorer): State<ExplorerHandle>,
    Path(id): Path<String>,
    Query(From { from }): Query<From>,
    headers: HeaderMap,
) -> Response {
    let Ok(place) = Arc::clone(&explorer.streams).try_acquire_owned() else {
        return refused();
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let (send, events) = channel(1);
    match explorer.runs.progress(&id) {
        Some(progress) => {
            let streams = Arc::clone(&explorer.streams);
            tokio::spawn(tell(progress, last.unwrap_or(from), send, streams));
        }
        // It does not work here: there is nothing to come.
        None => {
            let run = run_page::find(&explorer, &id).await;
            let elsewhere = run.is_some_and(|run| run.state == RunState::AtWork);
            let name = if elsewhere { "elsewhere" } else { "over" };
            let _ = send.try_send(Event::default().event(name).data("{}"));
        }
    }
    Sse::new(Events::new(events, place)).keep_alive(KeepAlive::default()).into_response()
}

/// What a page is told when as many look on as may.
pub(super) fn refused() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "too many pages look on\n").into_response()
}

/// Time from one event of a page to the next when this number of pages looks on.
fn pause(pages: usize) -> Duration {
    let pages = u32::try_from(pages).unwrap_or(u32::MAX);
    PAUSE.max(Duration::from_secs(1).saturating_mul(pages) / EVENTS_PER_SECOND)
}

/// Sends what is new until the run has ended or the page has gone. `streams` has a place for each page that may look on.
async fn tell(
    progress: Arc<Progress>,
    mut next: usize,
    send: Sender<Event>,
    streams: Arc<Semaphore>,
) {
    let mut changes = progress.changes();
    let mut shown: Option<Arc<str>> = None;
    loop {
        changes.mark_unchanged();
        let news = progress.since(next);
        let sample = news.sample.filter(|sample| shown.as_ref() != Some(sample));
        if !news.records.is_empty() || sample.is_some() {
            next += news.records.len();
            let text = format!(
                "{{\"records\":[{}],\"sample\":{},\"memory\":{}}}",
                news.records.join(","),
                sample.as_deref().unwrap_or("null"),
                memory_bytes().map_or_else(|| "null".to_owned(), |bytes| bytes.to_string())
            );
            shown = sample.or(shown);
            let event = Event::default().event("news").id(next.to_string()).data(text);
            if send.send(event).await.is_err() {
                return;
            }
        }
        if news.over {
            let _ = send.send(Event::default().event("over").data("{}")).await;
            return;
        }
        tokio::time::sleep(pause(STREAMS_MAX - streams.available_permits())).await;
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            () = send.closed() => return,
        }
    }
}

/// Bytes of memory that this process takes, where the system tells it as Linux does. It is read again after a pause: many
/// pages ask at once.
fn memory_bytes() -> Option<u64> {
    static READ: Mutex<Option<(Instant, Option<u64>)>> = Mutex::new(None);
    let mut read = lock(&READ);
    match *read {
        Some((at, bytes)) if at.elapsed() < PAUSE => bytes,
        _ => {
            let text = std::fs::read_to_string("/proc/self/statm").ok();
            let pages = text.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
            let bytes = pages.map(|pages| pages * PAGE_BYTES);
            *read = Some((Instant::now(), bytes));
            bytes
        }
    }
}

/// The events of one page, and its entry in the list of open event streams.
pub(super) struct Events {
    events: Receiver<Event>,
    _place: OwnedSemaphorePermit,
}

impl Events {
    pub(super) fn new(events: Receiver<Event>, place: OwnedSemaphorePermit) -> Self {
        Self { events, _place: place }
    }
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.poll_recv(context).map(|event| event.map(Ok))
    }
}

#[cfg(test)]
mod tests {
    use super::{PAUSE, STREAMS_MAX, pause};
    use std::time::Duration;

    #[test]
    fn many_pages_are_told_more_seldom() {
        assert_eq!([pause(0), pause(16)], [PAUSE; 2]);
        assert_eq!(pause(32), Duration::from_millis(500));
        assert_eq!(pause(STREAMS_MAX), Duration::from_secs(1));
    }
}
