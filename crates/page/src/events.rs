//! Events of a run, as server-sent events: at most four a second, and fewer when many pages are
//! connected, because the processor belongs to the runs.
//!
//! An event `news` is an object with the new records, the latest sample, and the memory use of the
//! program. Its number is that of the next record, so that a browser that reconnects continues
//! where it was. `over` is the last event; `elsewhere` replaces it when another process works on
//! the run.

use super::run_page;
use super::work::{Progress, RunState};
use super::{STREAMS_MAX, SharedPage};
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
use umbrail_control::lock;

/// Minimum time between two events of a page.
const PAUSE: Duration = Duration::from_millis(250);
/// Maximum number of events a second for all pages together: each costs some 35 microseconds of a
/// processor.
const EVENTS_PER_SECOND: u32 = 64;

#[derive(Deserialize)]
pub(super) struct From {
    /// First record that the page does not have.
    #[serde(default)]
    from: usize,
}

pub(super) async fn stream(
    State(shared): State<SharedPage>,
    Path(id): Path<String>,
    Query(From { from }): Query<From>,
    headers: HeaderMap,
) -> Response {
    let Ok(place) = Arc::clone(&shared.streams).try_acquire_owned() else {
        return refused();
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let (send, events) = channel(1);
    match shared.runs.progress(&id) {
        Some(progress) => {
            let streams = Arc::clone(&shared.streams);
            tokio::spawn(notify(progress, last.unwrap_or(from), send, streams));
        }
        // The run does not work in this process: no event will follow.
        None => {
            let run = run_page::find(&shared, &id).await;
            let elsewhere = run.is_some_and(|run| run.state == RunState::AtWork);
            let name = if elsewhere { "elsewhere" } else { "over" };
            let _ = send.try_send(Event::default().event(name).data("{}"));
        }
    }
    Sse::new(Events::new(events, place)).keep_alive(KeepAlive::default()).into_response()
}

/// Returns the reply to a page beyond the maximum number of pages.
pub(super) fn refused() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open\n").into_response()
}

/// Returns the time between two events of a page when this number of pages is connected.
fn pause(pages: usize) -> Duration {
    let pages = u32::try_from(pages).unwrap_or(u32::MAX);
    PAUSE.max(Duration::from_secs(1).saturating_mul(pages) / EVENTS_PER_SECOND)
}

/// Sends new records until the run has ended or the page has disconnected. `streams` has a permit
/// for each allowed page.
async fn notify(
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

/// Returns the memory use of this process in bytes, where the system reports it as Linux does. The
/// value is cached for a short time, because many pages request it at once.
pub(super) fn memory_bytes() -> Option<u64> {
    static READ: Mutex<Option<(Instant, Option<u64>)>> = Mutex::new(None);
    let mut read = lock(&READ);
    match *read {
        Some((at, bytes)) if at.elapsed() < PAUSE => bytes,
        _ => {
            let text = std::fs::read_to_string("/proc/self/status").ok();
            let bytes = text.and_then(|text| resident_bytes(&text));
            *read = Some((Instant::now(), bytes));
            bytes
        }
    }
}

/// Returns the resident memory that Linux reports in `/proc/self/status`, in KiB whatever the size
/// of a memory page.
fn resident_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Events of one page, and its entry in the list of open event streams.
pub(super) struct Events {
    events: Receiver<Event>,
    _place: OwnedSemaphorePermit,
    /// Dropped when the page disconnects.
    held: Option<Box<dyn Send + Sync>>,
}

impl Events {
    pub(super) fn new(events: Receiver<Event>, place: OwnedSemaphorePermit) -> Self {
        Self { events, _place: place, held: None }
    }

    /// Keeps a value until the page disconnects.
    pub(super) fn hold(&mut self, held: impl Send + Sync + 'static) {
        self.held = Some(Box::new(held));
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
    use super::{PAUSE, STREAMS_MAX, pause, resident_bytes};
    use std::time::Duration;

    #[test]
    fn memory_is_counted_in_kib() {
        assert_eq!(
            resident_bytes("Name:\tumbrail\nVmRSS:\t   14336 kB\nThreads:\t3\n"),
            Some(14 << 20)
        );
        assert_eq!(resident_bytes("Name:\tumbrail\n"), None);
    }

    #[test]
    fn many_pages_receive_fewer_updates() {
        assert_eq!([pause(0), pause(16)], [PAUSE; 2]);
        assert_eq!(pause(32), Duration::from_millis(500));
        assert_eq!(pause(STREAMS_MAX), Duration::from_secs(1));
    }
}
