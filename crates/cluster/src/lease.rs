//! Leases of the units of this process.

use crate::records::OpenRun;
use crate::server::Server;
use async_nats::jetstream::{AckKind, Message};
use std::sync::Arc;
use tokio::task::JoinHandle;

/// Unit of this process, and the task that sends its heartbeat, four times per lease period.
pub(crate) struct Lease {
    message: Arc<Message>,
    heartbeat: JoinHandle<()>,
    /// True if the unit is run by a second worker as an audit.
    pub(crate) audit: bool,
}

impl Lease {
    /// Starts the heartbeat.
    pub(crate) fn new(server: &Server, run: &OpenRun, message: Message, audit: bool) -> Self {
        let message = Arc::new(message);
        let (unit, period) = (Arc::clone(&message), run.lease() / 4);
        let heartbeat = server.runtime.spawn(async move {
            loop {
                tokio::time::sleep(period).await;
                // A lost heartbeat is followed by the next one.
                let _ = unit.ack_with(AckKind::Progress).await;
            }
        });
        Self { message, heartbeat, audit }
    }

    /// Stops the heartbeat and returns the message to acknowledge.
    pub(crate) fn end(&self) -> &Message {
        self.heartbeat.abort();
        &self.message
    }
}
