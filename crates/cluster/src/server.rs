//! Connection to a server, and its open runs.

use crate::address::Address;
use crate::printable::printable;
use crate::records::{CONSUMER, OpenRun, RUNS};
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::{self, kv, stream};
use async_nats::{Client, ConnectErrorKind, Event};
use futures_util::StreamExt;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use umbrail_control::{lock, print_error};

/// Time limit of the first connection.
const CONNECT: Duration = Duration::from_secs(10);

/// Time for which a refused connection is retried: the server may be starting.
const START: Duration = Duration::from_secs(5);

/// Time limit of a confirmation before the message is sent again; a duplicate does no harm.
const CONFIRM: Duration = Duration::from_secs(2);

/// Pause before a call is retried.
pub(crate) const PAUSE: Duration = Duration::from_millis(250);

/// Error of the cluster; its text contains no credentials.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The server cannot be used.
    #[error("cannot use the server {url}: {source}")]
    Server {
        /// Address.
        url: String,
        /// Reason.
        source: async_nats::Error,
    },
    /// A run cannot be opened, joined or closed.
    #[error("the run {run} cannot be {action}: {source}")]
    Run {
        /// Name of the run.
        run: String,
        /// Action that failed: `opened`, `joined` or `closed`.
        action: &'static str,
        /// Reason.
        source: async_nats::Error,
    },
}

/// Status of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunStatus {
    /// Number of waiting units.
    pub queued: u64,
    /// Number of running units.
    pub working: u64,
    /// Number of results, audits and failures of units.
    pub results: u64,
}

/// Server, with a thread for the communication. Calls block; heartbeats are sent meanwhile.
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
    /// Connects to a server; retries refused connections for five seconds. A lost connection is
    /// restored later.
    ///
    /// # Errors
    /// [`ClusterError`] if there is no server, it refuses the credentials, or it has no streams.
    pub fn connect(address: &Address) -> Result<Self, ClusterError> {
        let url = address.url().to_owned();
        let fail = |source: async_nats::Error| ClusterError::Server { url: url.clone(), source };
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("cluster")
            .enable_all()
            .build()
            .map_err(|error| fail(error.into()))?;
        let began = Instant::now();
        let client = loop {
            let options = address.options().map_err(|error| fail(error.into()))?;
            let log =
                Arc::new(Mutex::new(ConnectionLog { url: url.clone(), ..Default::default() }));
            let options =
                options.name("umbrail").max_reconnects(None).event_callback(move |event| {
                    if let Some(line) = lock(&log).line(&event) {
                        print_error!("umbrail: {line}");
                    }
                    std::future::ready(())
                });
            let connecting =
                async { tokio::time::timeout(CONNECT, options.connect(url.as_str())).await };
            match runtime.block_on(connecting) {
                Ok(Ok(client)) => break client,
                Err(_) => return Err(fail("no answer within 10 s".into())),
                Ok(Err(error))
                    if error.kind() == ConnectErrorKind::Io && began.elapsed() < START =>
                {
                    std::thread::sleep(PAUSE);
                }
                Ok(Err(error)) => return Err(fail(explained(&error).into())),
            }
        };
        let mut context = {
            // The constructor starts a task.
            let _entered = runtime.enter();
            jetstream::new(client.clone())
        };
        context.set_timeout(CONFIRM);
        let runs = runtime.block_on(async {
            make_bucket(&context).await?;
            Ok(context.get_key_value(RUNS).await?)
        });
        let runs = runs.map_err(|error: async_nats::Error| {
            fail(format!("it has no JetStream (start it with -js): {error}").into())
        })?;
        Ok(Self { runtime, client, context, runs, url })
    }

    /// Retries a call until it succeeds or `is_over` returns true.
    pub(crate) fn insist<T, E, F: Future<Output = Result<T, E>>>(
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

    /// Returns the open runs, ordered by name; `None` if the server does not respond.
    pub fn open_runs(&self) -> Option<Vec<OpenRun>> {
        self.runtime.block_on(async {
            let mut keys = self.runs.keys().await.ok()?;
            let mut runs = Vec::new();
            while let Some(key) = keys.next().await {
                let Some(bytes) = self.runs.get(key.ok()?).await.ok()? else { continue };
                // Malformed records come from other programs or versions.
                runs.extend(serde_json::from_slice::<OpenRun>(&bytes).ok());
            }
            runs.sort_by(|one, other| one.name.cmp(&other.name));
            Some(runs)
        })
    }

    /// Returns the status of an open run; `None` if the server does not respond.
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

    /// Returns true if a run is open; `None` if the server does not respond.
    pub(crate) fn is_open(&self, name: &str) -> Option<bool> {
        self.record(name).map(|record| record == RunRecord::Open)
    }

    /// Returns the state of a run; `None` if the server does not respond.
    pub(crate) fn record(&self, name: &str) -> Option<RunRecord> {
        self.runtime.block_on(async {
            Some(match self.runs.get(name).await.ok()? {
                None => RunRecord::Missing,
                Some(bytes) if bytes.as_ref() == CLOSED => RunRecord::Closed,
                Some(_) => RunRecord::Open,
            })
        })
    }

    /// Creates the bucket of the runs if it is missing.
    pub(crate) async fn make_bucket(&self) -> Result<(), async_nats::Error> {
        make_bucket(&self.context).await
    }

    pub(crate) async fn put(&self, run: &OpenRun) -> Result<(), async_nats::Error> {
        let text = serde_json::to_vec(run)?;
        self.runs.put(&run.name, text.into()).await?;
        Ok(())
    }

    pub(crate) async fn remove(&self, run: &OpenRun) -> Result<(), kv::PurgeError> {
        self.runs.purge(&run.name).await
    }

    /// Deletes the queue and the results of a run; missing streams are ignored.
    pub(crate) async fn delete_streams(&self, run: &OpenRun) {
        let _ = self.context.delete_stream(run.queue()).await;
        let _ = self.context.delete_stream(run.results()).await;
    }

    /// Closes a run before its end and deletes its results. Returns false if no run of this name is
    /// open.
    ///
    /// # Errors
    /// [`ClusterError`] if the server does not respond.
    pub fn close_run(&self, name: &str) -> Result<bool, ClusterError> {
        let fail = |source| ClusterError::Run { run: name.to_owned(), action: "closed", source };
        let runs = self.open_runs().ok_or_else(|| fail("the server does not answer".into()))?;
        let Some(run) = runs.iter().find(|run| run.name == name) else { return Ok(false) };
        self.runtime.block_on(async {
            // The collector would create a missing run again.
            let marked = self.runs.put(&run.name, CLOSED.into()).await;
            marked.map_err(|why| fail(why.into()))?;
            self.delete_streams(run).await;
            Ok(true)
        })
    }
}

/// State of the connection, for messages about its changes: each change is reported once.
#[derive(Debug, Default)]
struct ConnectionLog {
    url: String,
    is_lost: bool,
    /// Last reported error.
    reason: Option<String>,
}

impl ConnectionLog {
    /// Returns the message about an event, if it is a change.
    fn line(&mut self, event: &Event) -> Option<String> {
        let url = &self.url;
        match event {
            Event::Disconnected if !std::mem::replace(&mut self.is_lost, true) => {
                Some(format!("the connection to the server {url} is lost; trying until it answers"))
            }
            Event::Connected if std::mem::take(&mut self.is_lost) => {
                self.reason = None;
                Some(format!("connected to the server {url} again"))
            }
            Event::ServerError(_) | Event::ClientError(_) => {
                let reason = printable(&plain(&event.to_string()));
                let is_new = self.reason.as_ref() != Some(&reason);
                self.reason = Some(reason.clone());
                is_new.then(|| format!("the server {url}: {reason}"))
            }
            _ => None,
        }
    }
}

/// Returns the reason of a refused connection in plain words.
fn explained(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = error.source();
    }
    plain(&text)
}

/// Words in the library's messages, with plain explanations.
const EXPLANATIONS: [(&str, &str); 11] = [
    ("Connection refused", "no server answers at this address; is nats-server running there?"),
    (
        "CaUsedAsEndEntity",
        "its certificate is that of an authority; the server needs a certificate of its own, signed by the authority",
    ),
    (
        "UnknownIssuer",
        "its certificate is from an authority that is not known here; name the authority with `ca FILE` in the \
         credentials file",
    ),
    (
        "NotValidForName",
        "its certificate is for another host name; use the name in the certificate",
    ),
    (
        "not valid for name",
        "its certificate is for another host name; use the name in the certificate",
    ),
    ("certificate expired", "its certificate has expired"),
    ("not valid yet", "its certificate is not valid yet; check the clocks of both machines"),
    (
        "CertificateRequired",
        "it requires a certificate; name one with `cert FILE` and `key FILE` in the credentials file",
    ),
    ("BadCertificate", "it refuses the certificate of the credentials file"),
    ("UnknownCA", "it does not know the authority of the certificate in the credentials file"),
    ("InvalidContentType", "it does not use TLS on this port; write nats:// in place of tls://"),
];

/// Returns a message with the meaning of words that only programmers know.
fn plain(text: &str) -> String {
    match EXPLANATIONS.iter().find(|(word, _)| text.contains(word)) {
        Some((_, meaning)) => format!("{meaning} ({text})"),
        None => text.to_owned(),
    }
}

/// Value of the key of a closed run, kept until its collector has noticed.
const CLOSED: &[u8] = b"closed";

/// State of a run, according to its key on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunRecord {
    /// The run is open.
    Open,
    /// The run was closed by a user.
    Closed,
    /// The run is over, or the server lost its record.
    Missing,
}

/// Creates the bucket of the runs if it is missing.
async fn make_bucket(context: &jetstream::Context) -> Result<(), async_nats::Error> {
    // A bucket is a stream of this form. The client's own call requests account information,
    // whose format differs in the server 2.9.10 of Debian 12.
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
    context.get_or_create_stream(bucket).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{ConnectionLog, plain};
    use async_nats::{ClientError, Event};

    #[test]
    fn each_change_of_the_connection_is_reported_once() {
        let mut log = ConnectionLog { url: "nats://host".to_owned(), ..ConnectionLog::default() };
        let refused = || Event::ClientError(ClientError::Other("refused\u{1b}[2J".to_owned()));
        let events = [
            Event::Connected,
            Event::Disconnected,
            refused(),
            Event::Disconnected,
            refused(),
            Event::Connected,
            Event::Connected,
            Event::Disconnected,
        ];
        let lines: Vec<_> = events.iter().filter_map(|event| log.line(event)).collect();
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert!(lines[0].contains("is lost") && lines[1].contains("refused"), "{lines:?}");
        assert!(lines[2].contains("again") && !lines.concat().contains('\u{1b}'), "{lines:?}");
    }

    #[test]
    fn common_mistakes_are_explained() {
        let text = plain("TLS error: invalid peer certificate: UnknownIssuer");
        assert!(
            text.starts_with("its certificate is from an authority") && text.contains("ca FILE")
        );
        let refused = plain("IO error: Connection refused (os error 111)");
        assert!(refused.starts_with("no server answers"), "{refused}");
        assert_eq!(plain("maximum connections exceeded"), "maximum connections exceeded");
    }
}
