//! A session that answers short questions, one after another.

use super::records::Records;
use std::sync::{Arc, Mutex};
use tokio::sync::{Semaphore, oneshot};
use umbrail_control::lock;
use umbrail_protocol::{Dialect, Json};
use umbrail_server::{RequestHandle, SessionRequest, SessionThread};
use umbrail_session::{Command, Options};
use umbrail_tasks::MODULES;

/// Maximum number of waiting questions; further ones are refused.
const WAITING_MAX: usize = 32;
/// Maximum size of a stored answer, in bytes.
const ANSWER_BYTES_MAX: usize = 8 << 20;

/// Reason why a question is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DeskError {
    /// The maximum number of questions waits.
    #[error("too many requests are waiting; try again")]
    Busy,
    /// No session exists.
    #[error("no session answers")]
    NoSession,
}

/// The session, and its queue of requests.
pub(crate) struct Desk {
    thread: SessionThread,
    places: Arc<Semaphore>,
}

impl Desk {
    pub(crate) fn new(options: Options) -> std::io::Result<Self> {
        let thread = SessionThread::start(umbrail_tasks::session(options))?;
        Ok(Self { thread, places: Arc::new(Semaphore::new(WAITING_MAX)) })
    }

    /// Returns the number of unanswered questions.
    pub(super) fn waiting(&self) -> usize {
        WAITING_MAX - self.places.available_permits()
    }

    /// Sends a question, and waits for the answer: the records that `--json` writes. The commands themselves set time limits.
    /// If the future is dropped, because the page has disconnected, the commands stop or are not executed.
    ///
    /// # Errors
    /// Too many questions wait already.
    pub(crate) async fn ask(&self, commands: Vec<Command>) -> Result<Records, DeskError> {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return Err(DeskError::Busy);
        };
        let text = Arc::new(Mutex::new(String::new()));
        let (send, done) = oneshot::channel();
        let reported = Arc::clone(&text);
        let mut json = Json::new(MODULES);
        let handle = self.thread.request(SessionRequest {
            commands,
            notify: Box::new(move |event| {
                let mut text = lock(&reported);
                if text.len() < ANSWER_BYTES_MAX {
                    json.write(event, &mut text);
                }
            }),
            done: Box::new(move |_| {
                drop(place);
                // The requesting page may have disconnected.
                let _ = send.send(());
            }),
        });
        let asked = CancelOnDrop(handle);
        let _ = done.await;
        drop(asked);
        let text = lock(&text);
        Ok(text.lines().collect())
    }
}

/// Ends a request that nobody waits for. A finished one is not affected.
struct CancelOnDrop(RequestHandle);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
