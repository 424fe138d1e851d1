//! Facts that workers share, as messages that the server does not store.

use crate::records::OpenRun;
use crate::server::Server;
use futures_util::StreamExt;
use std::sync::{Arc, Mutex};
use tokio::task::JoinHandle;
use umbrail_control::lock;

/// Largest number of facts not yet taken; later ones are dropped.
const FACTS_MAX: usize = 1024;

/// Receiver of the facts of one run.
pub(crate) struct LearnedFacts {
    facts: Arc<Mutex<Vec<String>>>,
    listening: JoinHandle<()>,
}

impl LearnedFacts {
    /// Receives facts until it is dropped. Receives none if the server does not respond.
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

    /// Returns the facts since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.facts))
    }
}

impl Drop for LearnedFacts {
    fn drop(&mut self) {
        self.listening.abort();
    }
}
