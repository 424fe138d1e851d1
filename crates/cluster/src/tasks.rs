//! Tasks of units, as messages that the server keeps, in memory if it can, until a worker takes them. Answers go straight to the worker that
//! offered the task; what is lost is done by that worker itself.

use crate::presence::Presence;
use crate::records::OpenRun;
use crate::server::Server;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::{HeaderMap, Subscriber};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use umbrail_control::{OfferedTask, TaskAnswer, TaskBoard, TaskStage, lock};

/// The consumer of tasks, which all workers share.
const HELPERS: &str = "helpers";

/// Where tasks wait, and how many bytes of them at most. A server sets that much aside, so one with little memory refuses the first of these.
const ROOMS: [(StorageType, i64); 3] = [
    (StorageType::Memory, 256 << 20),
    (StorageType::Memory, 32 << 20),
    (StorageType::File, 64 << 20),
];

/// How long a worker waits for a task at a time.
const WAIT: Duration = Duration::from_millis(100);

/// How much longer an answer of the server may take. The client would wait five seconds for that of a queue that was deleted meanwhile. A task
/// that comes later is done by the worker that offered it.
const LATE: Duration = Duration::from_millis(400);

/// How long a worker waits while there is no queue of tasks: units are waited for instead.
const NO_QUEUE: Duration = Duration::from_millis(10);

/// Headers: where the answer goes, the number of the task, who did it, and which part of how many a message is.
const REPLY: &str = "Umbrail-Reply";
const NUMBER: &str = "Umbrail-Number";
const HELPER: &str = "Umbrail-Worker";
const PART: &str = "Umbrail-Part";

/// Bytes that a message may have beside its text.
const OVERHEAD: usize = 4 << 10;

fn config(run: &OpenRun, (storage, max_bytes): (StorageType, i64)) -> Config {
    Config {
        name: run.tasks(),
        subjects: vec![run.task_subject(">")],
        retention: RetentionPolicy::WorkQueue,
        storage,
        discard: DiscardPolicy::New,
        max_bytes,
        ..Config::default()
    }
}

/// Makes the queue of tasks, if it is not there; gives its consumer. None when the server has no room for one.
async fn open(server: &Server, run: &OpenRun) -> Option<Consumer<pull::Config>> {
    let mut stream = None;
    for room in ROOMS {
        stream = server.context.get_or_create_stream(config(run, room)).await.ok();
        if stream.is_some() {
            break;
        }
    }
    let stream = stream?;
    let config = pull::Config {
        durable_name: Some(HELPERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        max_ack_pending: 1 << 16,
        ..pull::Config::default()
    };
    stream.get_or_create_consumer(HELPERS, config).await.ok()
}

/// The queue of tasks as a worker has it.
#[derive(Default)]
pub(crate) struct TaskQueue(Mutex<Option<Consumer<pull::Config>>>);

impl TaskQueue {
    /// Whether there is a queue, or one can be made.
    pub(crate) fn opens(&self, server: &Server, run: &OpenRun) -> bool {
        let mut kept = lock(&self.0);
        if kept.is_none() {
            *kept = server.runtime.block_on(open(server, run));
        }
        kept.is_some()
    }

    /// A task; waits a moment for one.
    pub(crate) fn take(&self, server: &Server, run: &OpenRun) -> Option<OfferedTask> {
        let mut kept = lock(&self.0);
        if kept.is_none() {
            // The queue exists once a worker has opened a board; before that there are no tasks.
            *kept = server.runtime.block_on(async {
                let stream = server.context.get_stream(run.tasks()).await.ok()?;
                stream.get_consumer::<pull::Config>(HELPERS).await.ok()
            });
        }
        let Some(consumer) = kept.clone() else {
            drop(kept);
            std::thread::sleep(NO_QUEUE);
            return None;
        };
        drop(kept);
        let message = server.runtime.block_on(async {
            let mut batch =
                consumer.fetch().max_messages(1).expires(WAIT).messages().await.map_err(drop)?;
            let next = tokio::time::timeout(WAIT + LATE, batch.next()).await;
            Ok(next.map_err(drop)?.and_then(Result::ok))
        });
        let message = match message {
            Ok(message) => message?,
            Err(()) => {
                // The server may have lost the queue, which it keeps in memory only.
                *lock(&self.0) = None;
                return None;
            }
        };
        // Acknowledged at once: a task without an answer is done by the worker that offered it.
        let _ = server.runtime.block_on(message.ack());
        read_task(&message)
    }
}

fn read_task(message: &Message) -> Option<OfferedTask> {
    let headers = message.headers.as_ref()?;
    let reply = headers.get(REPLY)?.as_str().to_owned();
    let number = headers.get(NUMBER)?.as_str().parse().ok()?;
    Some(OfferedTask { bytes: message.payload.to_vec(), reply, number })
}

/// Sends an answer, in as many parts as its length needs.
pub(crate) fn answer(server: &Server, worker: &str, task: &OfferedTask, bytes: Option<Vec<u8>>) {
    let most = server.client.server_info().max_payload.saturating_sub(OVERHEAD).max(OVERHEAD);
    // No answer is shorter than its checksum.
    let bytes = bytes.unwrap_or_default();
    let parts: Vec<&[u8]> = match bytes.is_empty() {
        true => vec![&[]],
        false => bytes.chunks(most).collect(),
    };
    server.runtime.block_on(async {
        for (at, part) in parts.iter().enumerate() {
            let mut headers = HeaderMap::new();
            headers.insert(NUMBER, task.number.to_string().as_str());
            headers.insert(HELPER, worker);
            headers.insert(PART, format!("{at}/{}", parts.len()).as_str());
            let reply = task.reply.clone();
            // What is lost is done again.
            let _ = server.client.publish_with_headers(reply, headers, part.to_vec().into()).await;
        }
        let _ = server.client.flush().await;
    });
}

/// The parts that have come of answers, by the number of the task and the worker.
type PartialAnswers = HashMap<(u64, String), Vec<Vec<u8>>>;

/// The board of one unit.
pub(crate) struct ClusterBoard<'b> {
    server: &'b Server,
    /// Who has the unit, and its lease.
    of: (&'b Presence, u64),
    stream: String,
    subject: String,
    reply: String,
    /// Threads of other workers of the run.
    helpers: usize,
    answers: Mutex<Subscriber>,
    /// Answers of which not all parts have come.
    partial: Mutex<PartialAnswers>,
    /// Tasks that the server did not take.
    refused: Arc<Mutex<Vec<u64>>>,
}

impl<'b> ClusterBoard<'b> {
    /// A board; none when the server does not keep tasks.
    pub(crate) fn new(
        server: &'b Server,
        run: &OpenRun,
        of: (&'b Presence, u64),
        helpers: usize,
    ) -> Option<Self> {
        let reply = server.client.new_inbox();
        let name = reply.rsplit('.').next().unwrap_or_default();
        let subject = run.task_subject(name);
        let answers = server.runtime.block_on(async {
            open(server, run).await?;
            server.client.subscribe(reply.clone()).await.ok()
        })?;
        let (answers, partial, refused) = (Mutex::new(answers), Mutex::default(), Arc::default());
        let stream = run.tasks();
        Some(Self { server, of, stream, subject, reply, helpers, answers, partial, refused })
    }

    /// An answer, when this message completes one.
    fn read(&self, message: &async_nats::Message) -> Option<TaskAnswer> {
        let headers = message.headers.as_ref()?;
        let number = headers.get(NUMBER)?.as_str().parse().ok()?;
        let worker = headers.get(HELPER)?.as_str().to_owned();
        let (at, of) = headers.get(PART)?.as_str().split_once('/')?;
        let (at, of): (usize, usize) = (at.parse().ok()?, of.parse().ok()?);
        let mut partial = lock(&self.partial);
        let parts = partial.entry((number, worker.clone())).or_default();
        // Messages of one worker come in order; where one is missing, the answer is lost.
        if parts.len() != at {
            partial.remove(&(number, worker));
            return None;
        }
        parts.push(message.payload.to_vec());
        if parts.len() < of {
            return None;
        }
        let bytes = partial.remove(&(number, worker.clone())).unwrap_or_default().concat();
        Some(TaskAnswer { number, worker, bytes: Some(bytes).filter(|bytes| !bytes.is_empty()) })
    }
}

impl TaskBoard for ClusterBoard<'_> {
    fn helpers(&self) -> usize {
        self.helpers
    }

    fn offer(&self, number: u64, task: &[u8]) -> bool {
        let most = self.server.client.server_info().max_payload.saturating_sub(OVERHEAD);
        if task.len() > most || !lock(&self.refused).is_empty() {
            return false;
        }
        let mut headers = HeaderMap::new();
        headers.insert(REPLY, self.reply.as_str());
        headers.insert(NUMBER, number.to_string().as_str());
        let (subject, context) = (self.subject.clone(), &self.server.context);
        let sent = self.server.runtime.block_on(async {
            context.publish_with_headers(subject, headers, task.to_vec().into()).await
        });
        let Ok(confirmation) = sent else { return false };
        // Waiting for each one would take longer than many a task.
        let refused = Arc::clone(&self.refused);
        self.server.runtime.spawn(async move {
            if confirmation.await.is_err() {
                lock(&refused).push(number);
            }
        });
        true
    }

    fn answers(&self, wait: Duration) -> Vec<TaskAnswer> {
        let mut answers = lock(&self.answers);
        // The worker of the unit does these itself.
        let refused = |number| TaskAnswer { number, worker: String::new(), bytes: None };
        let mut read: Vec<_> = lock(&self.refused).drain(..).map(refused).collect();
        let wait = if read.is_empty() { wait } else { Duration::ZERO };
        let mut patience = wait.max(Duration::from_millis(1));
        while let Some(message) = self
            .server
            .runtime
            .block_on(async { tokio::time::timeout(patience, answers.next()).await.ok().flatten() })
        {
            read.extend(self.read(&message));
            if !read.is_empty() {
                patience = Duration::from_millis(1);
            }
        }
        read
    }

    fn note(&self, stage: TaskStage) {
        self.of.0.stage(self.of.1, Some(stage));
    }
}

impl Drop for ClusterBoard<'_> {
    fn drop(&mut self) {
        self.of.0.stage(self.of.1, None);
        // Tasks that are left would be done for nothing.
        let answers = self.answers.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.server.runtime.block_on(async {
            let _ = answers.unsubscribe().await;
            if let Ok(stream) = self.server.context.get_stream(&self.stream).await {
                let _ = stream.purge().filter(self.subject.clone()).await;
            }
        });
    }
}
