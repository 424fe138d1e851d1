//! What workers learned, as messages that the server does not keep.

use crate::records::OpenRun;
use crate::server::Server;
use futures_util::StreamExt;
use std::sync::{Arc, Mutex};
use tokio::task::JoinHandle;
use umbrail_control::lock;

/// Facts that wait to be taken, at most; later ones are dropped.
const FACTS_MAX: usize = 1024;

/// Receives the facts of one run.
pub(crate) struct LearnedFacts {
    facts: Arc<Mutex<Vec<String>>>,
    listening: JoinHandle<()>,
}

impl LearnedFacts {
    /// Listens until it is dropped. Without an answer of the server nothing comes.
    pub(crate) fn listen(server: &Server, run: &OpenRun) -> Self {
        let facts = Arc::new(Mutex::new(Vec::new()));
        let (client, subject, into) =
            (server.client.clone(), run.learned_subject(), Arc::clone(&facts));
        let listening = server.runtime.spawn(async move {
            let Ok(mut messages) = client.subscribe(subject).await else { return };
            while let Some(message) = messages.next().await {
                let mut facts = lock(&into);
                if facts.len() < FACTS_MAX {
                    facts.push(String::from_utf8_lossy(&message.payload).into_owned());
                }
            }
        });
        Self { facts, listening }
    }

    /// Those that came since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.facts))
    }
}

impl Drop for LearnedFacts {
    fn drop(&mut self) {
        self.listening.abort();
    }
}
