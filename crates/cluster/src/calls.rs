//! Calls: a worker says that there will be tasks soon, so that those without a unit look for tasks more often.

use crate::pauses::is_due;
use crate::records::OpenRun;
use crate::server::Server;
use futures_util::StreamExt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use umbrail_control::lock;

/// How often a worker calls at most.
const PERIOD: Duration = Duration::from_millis(250);

/// How long a worker waits for a unit at a time, and while another one calls.
const WAIT: (Duration, Duration) = (Duration::from_millis(500), Duration::from_millis(50));

/// How long a call is heeded.
const HEEDED: Duration = Duration::from_secs(1);

/// The calls of one run. The server does not keep them.
pub(crate) struct Calls {
    subject: String,
    called: Mutex<Instant>,
    heard: Arc<Mutex<Option<Instant>>>,
    listening: JoinHandle<()>,
}

impl Calls {
    /// Listens until it is dropped.
    pub(crate) fn listen(server: &Server, run: &OpenRun) -> Self {
        let heard = Arc::new(Mutex::new(None));
        let (client, subject, into) =
            (server.client.clone(), run.call_subject(), Arc::clone(&heard));
        let listening = server.runtime.spawn(async move {
            let Ok(mut messages) = client.subscribe(subject).await else { return };
            while messages.next().await.is_some() {
                *lock(&into) = Some(Instant::now());
            }
        });
        let (subject, called) = (run.call_subject(), Mutex::new(Instant::now()));
        Self { subject, called, heard, listening }
    }

    /// Calls, unless that was done just now.
    pub(crate) fn call(&self, server: &Server) {
        if is_due(&self.called, PERIOD) {
            // What is lost makes others come a little later.
            let send = server.client.publish(self.subject.clone(), "".into());
            let _ = server.runtime.block_on(send);
        }
    }

    /// How long to wait for a unit before tasks are looked for.
    pub(crate) fn wait(&self) -> Duration {
        let are_heard = lock(&self.heard).is_some_and(|heard| heard.elapsed() < HEEDED);
        if are_heard { WAIT.1 } else { WAIT.0 }
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        self.listening.abort();
    }
}
