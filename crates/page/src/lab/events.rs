//! Notifies pages of the laboratory of changes, at most twice a second.

use super::super::SharedPage;
use super::super::events::{Events, refused};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::channel;

/// Interval between two checks of the folder.
const PAUSE: Duration = Duration::from_millis(500);

/// Sends an event `now` with the current state of the folder, and an event `changed` for each
/// change. The event's number identifies the state, so that a page that reconnects learns of
/// changes it missed.
pub(crate) async fn stream(State(shared): State<SharedPage>, headers: HeaderMap) -> Response {
    let Ok(place) = Arc::clone(&shared.streams).try_acquire_owned() else { return refused() };
    let seen = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse::<u64>().ok());
    let (send, events) = channel(1);
    let lab = shared.lab.clone();
    tokio::spawn(async move {
        let mut known = seen;
        loop {
            let lab = lab.clone();
            let stamp = tokio::task::spawn_blocking(move || umbrail_lab::stamp(&lab)).await;
            let Ok(stamp) = stamp else { return };
            if known != Some(stamp) {
                let is_first = known.is_none();
                known = Some(stamp);
                let name = if is_first { "now" } else { "changed" };
                let event = Event::default().event(name).id(stamp.to_string()).data("{}");
                if send.send(event).await.is_err() {
                    return;
                }
            }
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = send.closed() => return,
            }
        }
    });
    Sse::new(Events::new(events, place)).keep_alive(KeepAlive::default()).into_response()
}
