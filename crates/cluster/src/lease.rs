//! Units that this process has.

use crate::records::OpenRun;
use crate::server::Server;
use async_nats::jetstream::{AckKind, Message};
use std::sync::Arc;
use tokio::task::JoinHandle;

/// A unit that this process has, and the task that sends signs of life for it, several in the time of a lease.
pub(crate) struct Lease {
    message: Arc<Message>,
    heartbeat: JoinHandle<()>,
    /// Whether the unit is done by a second worker.
    pub(crate) audit: bool,
}

impl Lease {
    /// Signs of life begin.
    pub(crate) fn new(server: &Server, run: &OpenRun, message: Message, audit: bool) -> Self {
        let message = Arc::new(message);
        let (unit, period) = (Arc::clone(&message), run.lease() / 4);
        let heartbeat = server.runtime.spawn(async move {
            loop {
                tokio::time::sleep(period).await;
                // What is lost is sent again soon.
                let _ = unit.ack_with(AckKind::Progress).await;
            }
        });
        Self { message, heartbeat, audit }
    }

    /// They end. Gives the message of the unit, which is to be acknowledged.
    pub(crate) fn end(&self) -> &Message {
        self.heartbeat.abort();
        &self.message
    }
}
