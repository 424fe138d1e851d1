//! The local page (`umbrail serve`): a fourth way to talk to the program, beside UCI, XBoard and plain text.
//!
//! A request becomes the same commands and tasks, a job the same job, and what is shown are the records that `--json`
//! writes. The server side is here: [`web`] (where it listens, whom it answers), [`work`] (questions and runs), and a
//! module for each part of the page. Scripts and styles are files of `assets`, which are part of the program.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod browser;
mod events;
mod home;
mod lab;
mod play;
mod proof;
mod routes;
mod run_page;
mod shell;
mod steno;
mod stepper;
mod tables;
mod theme;
mod web;
mod words;
mod work;

pub(crate) use lab::{LabMatch, LabPoint, LabResults, LabSource, LabState};

use axum::Router;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use umbrail::server;
use umbrail::session::Options;
use web::{Address, LOOPBACK, accept, converse};
use work::{Desk, Desks, Runs};

/// Exit status when the page cannot be served.
const STATUS_USAGE: u8 = 2;
/// Sessions that answer questions about tables at a time.
const TABLE_DESKS: usize = 3;
/// Archives that are sent at a time.
const UPLOADS_MAX: usize = 2;
/// Event streams at a time.
const STREAMS_MAX: usize = 64;

/// What `umbrail serve` was asked for.
pub(crate) struct Serve {
    /// The port; 0 for a free one.
    pub(crate) port: u16,
    /// Where runs live.
    pub(crate) folder: PathBuf,
    /// Open a browser.
    pub(crate) open: bool,
    /// Another address than that of the machine itself.
    pub(crate) listen: Option<IpAddr>,
    /// What a browser must know.
    pub(crate) token: Option<String>,
    /// The laboratory whose results are shown.
    pub(crate) lab: LabSource,
}

/// What pages work with.
pub(super) struct Explorer {
    runs: Arc<Runs>,
    /// Where runs, pieces and tables lie.
    folder: PathBuf,
    /// Answers what the editor of proof games asks while a problem is changed.
    desk: Desk,
    /// Answers questions about stenos.
    stenos: Desk,
    /// Answers questions about tables, and keeps those that it has built.
    tables: Desks,
    /// Statistics of tables that were asked for.
    counted: tables::Counted,
    streams: Arc<Semaphore>,
    /// Pages that search a position take turns.
    searches: Arc<Semaphore>,
    /// Archives that are being sent.
    uploads: Arc<Semaphore>,
    /// The laboratory.
    lab: LabSource,
    options: Options,
}

type ExplorerHandle = Arc<Explorer>;

/// Serves the page until the process is interrupted; gives the exit status.
pub(crate) fn serve(wish: Serve, options: Options) -> u8 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let served = match runtime {
        Ok(runtime) => runtime.block_on(live(wish, options)),
        Err(error) => Err(error.to_string()),
    };
    match served {
        Ok(()) => 0,
        Err(why) => {
            eprintln!("umbrail: {why}");
            STATUS_USAGE
        }
    }
}

async fn live(wish: Serve, options: Options) -> Result<(), String> {
    let ip = wish.listen.unwrap_or(LOOPBACK);
    let token = match wish.token.clone() {
        None if !ip.is_loopback() => Some(made_token()),
        given => given,
    };
    if token.as_deref().is_some_and(|token| !is_token(token)) {
        return Err("token wants 8 to 64 letters, digits, - or _".to_owned());
    }
    if !ip.is_loopback() {
        eprintln!("umbrail: others can listen in: put a server with TLS in front of this address");
    }
    let asked = SocketAddr::new(ip, wish.port);
    let listener = TcpListener::bind(asked)
        .await
        .map_err(|error| format!("cannot listen on {asked}: {error}"))?;
    let bound = listener.local_addr().map_err(|error| error.to_string())?;
    let page = LocalPage::open(&wish, bound, token, &options)?;
    if !server::print(&format!("{}\n", page.url)) {
        return Err("the address cannot be written".to_owned());
    }
    if wish.open {
        browser::open(&page.url);
    }
    tokio::select! {
        () = accept(listener, |stream| page.clone().converse(stream)) => {}
        () = interrupted() => {}
    }
    page.close().await;
    Ok(())
}

/// All that is served, without the network.
#[derive(Clone)]
pub(crate) struct LocalPage {
    /// What a user opens.
    url: String,
    runs: Arc<Runs>,
    router: Router,
}

impl LocalPage {
    /// Opens the folder of a page that is reached at this address.
    ///
    /// # Errors
    /// The folder cannot be used, or the system starts no thread.
    pub(crate) fn open(
        wish: &Serve,
        bound: SocketAddr,
        token: Option<String>,
        options: &Options,
    ) -> Result<Self, String> {
        let address = Address::new(bound, token);
        let fail = |error: std::io::Error| format!("{}: {error}", wish.folder.display());
        let runs = Runs::open(&wish.folder, options.clone()).map_err(fail)?;
        let folder = wish.folder.canonicalize().map_err(fail)?;
        let desk = || Desk::new(options.clone()).map_err(|error| error.to_string());
        let explorer = Arc::new(Explorer {
            runs: Arc::clone(&runs),
            folder,
            desk: desk()?,
            stenos: desk()?,
            tables: Desks::new(options, TABLE_DESKS).map_err(|error| error.to_string())?,
            counted: tables::Counted::default(),
            streams: Arc::new(Semaphore::new(STREAMS_MAX)),
            searches: Arc::new(Semaphore::new(1)),
            uploads: Arc::new(Semaphore::new(UPLOADS_MAX)),
            lab: wish.lab.clone(),
            options: options.clone(),
        });
        let url = address.url();
        Ok(Self { url, runs, router: routes::router(explorer, Arc::new(address)) })
    }

    /// Answers what comes over one connection, until it is closed.
    pub(crate) async fn converse(
        self,
        connection: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    ) {
        converse(connection, self.router).await;
    }

    /// Stops all runs and waits a while for them.
    pub(crate) async fn close(&self) {
        self.runs.close().await;
    }
}

/// Ctrl-C, or a request to end.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// A token may stand in an address and in a cookie.
fn is_token(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (8..=64).contains(&text.len()) && text.bytes().all(plain)
}

/// 128 random bits of the system, by way of the keys with which hash maps are protected.
fn made_token() -> String {
    use std::hash::{BuildHasher, RandomState};
    let part = |number: u8| RandomState::new().hash_one(number);
    format!("{:016x}{:016x}", part(0), part(1))
}

#[cfg(test)]
mod tests {
    use super::{is_token, made_token};

    #[test]
    fn tokens_fit_into_an_address() {
        assert!(is_token(&made_token()) && made_token() != made_token());
        assert!(!is_token("short") && !is_token("with blank") && !is_token("a;b=cdefgh"));
    }
}
