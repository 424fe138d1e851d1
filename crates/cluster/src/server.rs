//! The connection to a server, and the runs that are open there.

use crate::address::Address;
use crate::records::{CONSUMER, OpenRun, RUNS};
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::{self, kv, stream};
use async_nats::{Client, ConnectErrorKind};
use futures_util::StreamExt;
use std::fmt;
use std::future::Future;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};

/// How long the first connection may take.
const CONNECT: Duration = Duration::from_secs(10);

/// How long a server that refuses connections is tried again: it may be starting.
const START: Duration = Duration::from_secs(5);

/// How long a confirmation may take before the message is sent again; a second one does no harm.
const CONFIRM: Duration = Duration::from_secs(2);

/// Pause before a call is tried again.
pub(crate) const PAUSE: Duration = Duration::from_millis(250);

/// Why the server cannot be used. It names no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterError(pub(crate) String);

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ClusterError {}

/// How a run stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunStatus {
    /// Units that wait.
    pub queued: u64,
    /// Units in the hands of workers.
    pub working: u64,
    /// Results, audits and units given up.
    pub results: u64,
}

/// A server, with a thread that talks to it. Calls wait; signs of life are sent meanwhile.
pub struct Server {
    pub(crate) runtime: Runtime,
    pub(crate) client: Client,
    pub(crate) context: jetstream::Context,
    runs: kv::Store,
    url: String,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({})", self.url)
    }
}

impl Server {
    /// Connects; a server that is not there is tried for some seconds. Later the connection is made again whenever it
    /// is lost.
    ///
    /// # Errors
    /// When there is no server, it refuses the credentials, or it keeps no streams.
    pub fn connect(address: &Address) -> Result<Self, ClusterError> {
        let url = address.url().to_owned();
        let fail =
            |why: &dyn fmt::Display| ClusterError(format!("cannot use the server {url}: {why}"));
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("cluster")
            .enable_all()
            .build()
            .map_err(|error| fail(&error))?;
        let began = Instant::now();
        let client = loop {
            let options = address.options().map_err(|error| fail(&error))?;
            let options = options.name("umbrail").max_reconnects(None);
            let connecting =
                async { tokio::time::timeout(CONNECT, options.connect(url.as_str())).await };
            match runtime.block_on(connecting) {
                Ok(Ok(client)) => break client,
                Err(_) => return Err(fail(&"no answer within 10 s")),
                Ok(Err(error))
                    if error.kind() == ConnectErrorKind::Io && began.elapsed() < START =>
                {
                    std::thread::sleep(PAUSE);
                }
                Ok(Err(error)) => return Err(fail(&error)),
            }
        };
        let mut context = {
            // It starts a task of its own.
            let _entered = runtime.enter();
            jetstream::new(client.clone())
        };
        context.set_timeout(CONFIRM);
        // A bucket is a stream of this form. The client's own call asks the server for an account record that the
        // server 2.9.10 of Debian 12 writes in another form.
        let bucket = stream::Config {
            name: format!("KV_{RUNS}"),
            subjects: vec![format!("$KV.{RUNS}.>")],
            max_messages_per_subject: 1,
            discard: stream::DiscardPolicy::New,
            allow_rollup: true,
            allow_direct: true,
            deny_delete: true,
            ..stream::Config::default()
        };
        let runs = runtime.block_on(async {
            context.get_or_create_stream(bucket).await.map_err(|error| error.to_string())?;
            context.get_key_value(RUNS).await.map_err(|error| error.to_string())
        });
        let runs = runs.map_err(|error| {
            fail(&format_args!("it keeps no streams (start it with -js): {error}"))
        })?;
        Ok(Self { runtime, client, context, runs, url })
    }

    /// Tries until it succeeds, or until `is_over`.
    pub(crate) fn insist<T, E: fmt::Display, F: Future<Output = Result<T, E>>>(
        &self,
        is_over: &dyn Fn() -> bool,
        call: impl Fn() -> F,
    ) -> Option<T> {
        while !is_over() {
            if let Ok(value) = self.runtime.block_on(call()) {
                return Some(value);
            }
            std::thread::sleep(PAUSE);
        }
        None
    }

    /// The runs that are open, in the order of their names; none when the server does not answer.
    pub fn open_runs(&self) -> Option<Vec<OpenRun>> {
        self.runtime.block_on(async {
            let mut keys = self.runs.keys().await.ok()?;
            let mut runs = Vec::new();
            while let Some(key) = keys.next().await {
                let Some(bytes) = self.runs.get(key.ok()?).await.ok()? else { continue };
                // What makes no sense is another program's, or of another version.
                runs.extend(serde_json::from_slice::<OpenRun>(&bytes).ok());
            }
            runs.sort_by(|one, other| one.name.cmp(&other.name));
            Some(runs)
        })
    }

    /// How an open run stands; none when the server does not answer.
    pub fn status(&self, run: &OpenRun) -> Option<RunStatus> {
        self.runtime.block_on(async {
            let stream = self.context.get_stream(run.queue()).await.ok()?;
            let mut consumer = stream.get_consumer::<pull::Config>(CONSUMER).await.ok()?;
            let info = consumer.info().await.ok()?;
            let (queued, working) = (info.num_pending, info.num_ack_pending as u64);
            let mut results = self.context.get_stream(run.results()).await.ok()?;
            let results = results.info().await.ok()?.state.messages;
            Some(RunStatus { queued, working, results })
        })
    }

    /// Whether a run is open; none when the server does not answer.
    pub(crate) fn is_open(&self, name: &str) -> Option<bool> {
        self.runtime.block_on(async { Some(self.runs.get(name).await.ok()?.is_some()) })
    }

    pub(crate) async fn put(&self, run: &OpenRun) -> Result<(), String> {
        let text = serde_json::to_vec(run).map_err(|error| error.to_string())?;
        self.runs.put(&run.name, text.into()).await.map(|_| ()).map_err(|error| error.to_string())
    }

    pub(crate) async fn remove(&self, run: &OpenRun) -> Result<(), String> {
        self.runs.purge(&run.name).await.map_err(|error| error.to_string())
    }

    /// Deletes the queue and the results of a run. A stream that is gone already needs no deletion.
    pub(crate) async fn delete_streams(&self, run: &OpenRun) {
        let _ = self.context.delete_stream(run.queue()).await;
        let _ = self.context.delete_stream(run.results()).await;
    }

    /// Closes a run before its end and deletes its results; false when no run of this name is open.
    ///
    /// # Errors
    /// When the server does not answer.
    pub fn close_run(&self, name: &str) -> Result<bool, ClusterError> {
        let fail = |why: &str| ClusterError(format!("the run {name} cannot be closed: {why}"));
        let runs = self.open_runs().ok_or_else(|| fail("the server does not answer"))?;
        let Some(run) = runs.iter().find(|run| run.name == name) else { return Ok(false) };
        self.runtime.block_on(async {
            self.remove(run).await.map_err(|why| fail(&why))?;
            self.delete_streams(run).await;
            Ok(true)
        })
    }
}
