//! Collector: opens a run, receives its results and closes it.

use crate::presence::{WorkerReport, WorkersSeen};
use crate::printable::printable;
use crate::records::{AUDIT, CONSUMER, FAILED, FAILURE, MESSAGE_ID, OpenRun, WORKER};
use crate::run_queue::{Publication, ResultMessage, RunQueue, UnitOutcome};
use crate::server::{ClusterError, RunRecord, Server};
use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use futures_util::StreamExt;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::{UnitId, lock};

/// Time limit of the attempts to open a run.
const OPEN: Duration = Duration::from_secs(10);

/// Longest wait of a call for results.
const WAIT: Duration = Duration::from_millis(300);

/// Largest number of results per request.
const BATCH: usize = 256;

/// Run that this process collects. Another collector can take over at any time, since the server
/// holds the complete state.
#[derive(Debug)]
pub struct Collector<'a> {
    server: &'a Server,
    run: OpenRun,
    /// Sequence number of the next result.
    next: u64,
    /// Number of published units, which makes each message unique.
    published: u64,
    workers: WorkersSeen,
    /// Last error of the server.
    error: Option<String>,
}

impl<'a> Collector<'a> {
    /// Opens a run, or takes over the open run of this name. Retries for up to 10 s while the
    /// server is unavailable.
    ///
    /// # Errors
    /// [`ClusterError`] if the server refuses or `is_over` returns true.
    pub fn open(
        server: &'a Server,
        run: &OpenRun,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Self, ClusterError> {
        Self::insist(server, run, is_over)?;
        let workers = WorkersSeen::listen(server);
        Ok(Self { server, run: run.clone(), next: 1, published: 0, workers, error: None })
    }

    /// Creates what is missing of a run; retries for up to 10 s.
    fn insist(
        server: &Server,
        run: &OpenRun,
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), ClusterError> {
        let (began, why) = (Instant::now(), Mutex::new(None));
        let is_over = || is_over() || began.elapsed() > OPEN;
        let opened = server.insist(&is_over, || async {
            Self::make(server, run).await.map_err(|error| *lock(&why) = Some(error))
        });
        opened.ok_or_else(|| {
            let source = lock(&why).take().unwrap_or_else(|| "".into());
            ClusterError::Run { run: run.name.clone(), action: "opened", source }
        })
    }

    /// Creates the missing streams and records.
    async fn make(server: &Server, run: &OpenRun) -> Result<(), async_nats::Error> {
        server.make_bucket().await?;
        let context = &server.context;
        context.get_or_create_stream(run.results_config()).await?;
        let queue = context.get_or_create_stream(run.queue_config()).await?;
        queue.get_or_create_consumer(CONSUMER, run.consumer_config()).await?;
        server.put(run).await
    }

    /// Returns the name of the run.
    pub fn name(&self) -> &str {
        &self.run.name
    }

    /// Closes the run: workers leave it, and its streams are deleted. Retries while the server is
    /// unavailable.
    pub fn close(self, is_over: &dyn Fn() -> bool) {
        let (server, run) = (self.server, &self.run);
        let removed = server.insist(is_over, || async { server.remove(run).await });
        if removed.is_some() {
            server.runtime.block_on(server.delete_streams(run));
        }
    }
}

impl RunQueue for Collector<'_> {
    fn publish(&mut self, unit: &str, publication: Publication<'_>) -> bool {
        self.published += 1;
        let mut headers = HeaderMap::new();
        let id = UnitId::of(&self.run.name, unit);
        // The server drops a second message with the same identifier.
        let message = match publication {
            Publication::First => id.to_string(),
            _ => format!("{id}-{}-{}", std::process::id(), self.published),
        };
        headers.insert(MESSAGE_ID, message.as_str());
        if let Publication::Audit(workers) = publication {
            workers.iter().for_each(|worker| headers.append(AUDIT, worker.as_str()));
        }
        let publish = async {
            let context = &self.server.context;
            let subject = self.run.queue_subject();
            context.publish_with_headers(subject, headers, unit.to_owned().into()).await?.await
        };
        match self.server.runtime.block_on(publish) {
            Ok(_) => true,
            Err(error) => {
                // A full queue is not an error: finished units make room.
                let text = error.to_string();
                self.error = (!text.contains("maximum messages")).then_some(text);
                false
            }
        }
    }

    fn results(&mut self) -> Vec<ResultMessage> {
        let (server, start) = (self.server, self.next);
        let fetched = server.runtime.block_on(async {
            let mut found = Vec::new();
            let mut stream = server.context.get_stream(self.run.results()).await.ok()?;
            let last = stream.info().await.ok()?.state.last_sequence;
            if last < start {
                return Some((last, found));
            }
            // A consumer does not survive a restart of the server, so each batch has its own.
            let config = pull::Config {
                deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: start },
                ack_policy: AckPolicy::None,
                inactive_threshold: Duration::from_secs(10),
                ..pull::Config::default()
            };
            let consumer = stream.create_consumer(config).await.ok()?;
            let batch = consumer.fetch().max_messages(BATCH).expires(WAIT).messages().await.ok();
            if let Some(mut batch) = batch {
                while let Some(Ok(message)) = batch.next().await {
                    found.push(message);
                }
            }
            let name = consumer.cached_info().name.clone();
            let _ = stream.delete_consumer(&name).await;
            Some((last, found))
        });
        let messages = match fetched {
            Some((_, messages)) if !messages.is_empty() => messages,
            fetched => {
                // Recreated streams count from the beginning.
                if fetched.is_some_and(|(last, _)| last + 1 < self.next) {
                    self.next = 1;
                }
                std::thread::sleep(WAIT / 3);
                return vec![];
            }
        };
        let mut results = Vec::new();
        for message in messages {
            let Ok(info) = message.info() else { continue };
            if info.stream_sequence < self.next {
                continue;
            }
            self.next = info.stream_sequence + 1;
            let header = |name: &str| {
                let headers = message.headers.as_ref()?;
                headers.get(name).map(|value| value.as_str().to_owned())
            };
            let text = String::from_utf8_lossy(&message.payload).into_owned();
            let audit = message.subject.ends_with(".audit");
            let unit_id = id_in(&message.subject).to_owned();
            let outcome = match header(FAILED) {
                Some(why) => UnitOutcome::Failed {
                    unit: text,
                    why: printable(&why),
                    is_final: !message.subject.contains(FAILURE),
                },
                None => UnitOutcome::Done { text, audit },
            };
            let worker = printable(&header(WORKER).unwrap_or_default());
            let number = info.stream_sequence;
            results.push(ResultMessage { worker, unit_id, number, outcome });
        }
        results
    }

    fn queue(&self) -> Option<(u64, u64)> {
        self.server.runtime.block_on(async {
            let stream = self.server.context.get_stream(self.run.queue()).await.ok()?;
            let mut consumer = stream.get_consumer::<pull::Config>(CONSUMER).await.ok()?;
            let info = consumer.info().await.ok()?;
            Some((info.num_pending, info.num_ack_pending as u64))
        })
    }

    fn repair(&mut self, is_over: &dyn Fn() -> bool) {
        match Self::insist(self.server, &self.run, is_over) {
            Ok(()) => self.error = None,
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    fn read_again(&mut self) {
        self.next = 1;
    }

    fn discard(&mut self, number: u64) {
        // If the server does not answer, the next result of the unit is refused, and the collection
        // reads this one again.
        let _ = self.server.runtime.block_on(async {
            let stream = self.server.context.get_stream(self.run.results()).await.ok()?;
            stream.delete_message(number).await.ok()
        });
    }

    fn is_closed(&self) -> bool {
        self.server.record(&self.run.name) == Some(RunRecord::Closed)
    }

    fn workers(&self) -> Vec<WorkerReport> {
        let mut workers = self.workers.workers();
        workers.retain(|worker| worker.run == self.run.name);
        workers
    }

    fn error(&self) -> Option<String> {
        self.error.clone()
    }
}

/// Returns the identifier of the unit in the subject of a result.
fn id_in(subject: &str) -> &str {
    // umbrail.result.RUN.UNIT, perhaps with more parts.
    subject.split('.').nth(3).unwrap_or("")
}
