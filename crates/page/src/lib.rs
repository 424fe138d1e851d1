//! The local page (`umbrail serve`): a fourth interface of the program, beside UCI, XBoard and
//! plain text.
//!
//! A request becomes the commands and tasks of a session, and pages show the records that `--json`
//! writes. The server side is here: `web` (address and access control), `work` (questions and
//! runs), and a module for each part of the page. Scripts and styles are files of `assets`,
//! compiled into the program.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod browser;
mod events;
mod help;
mod home;
mod lab;
mod legend;
mod open_position;
mod page_error;
mod play;
mod position;
mod proof;
mod routes;
mod run_list;
mod run_page;
mod shell;
mod steno;
mod stepper;
mod tables;
mod theme;
mod web;
mod words;
mod work;

pub use help::HelpPage;

use axum::Router;
use play::Engines;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use umbrail_server as server;
use umbrail_session::Options;
use web::{Address, LOOPBACK, accept, converse};
use work::{Desk, Desks, Runs};

/// Maximum number of sessions that answer questions about tables at once.
const TABLE_DESKS: usize = 3;
/// Maximum number of simultaneous archive uploads.
const UPLOADS_MAX: usize = 2;
/// Maximum number of simultaneous event streams.
const STREAMS_MAX: usize = 64;

/// Arguments of `umbrail serve`.
pub struct Serve {
    /// Port; 0 for a free one.
    pub port: u16,
    /// Folder of the runs.
    pub folder: PathBuf,
    /// Open a browser.
    pub open: bool,
    /// Address to listen on, other than loopback.
    pub listen: Option<IpAddr>,
    /// Token that a browser must present.
    pub token: Option<String>,
    /// Folder of the laboratory whose results are shown.
    pub lab: PathBuf,
    /// Documents under Help, in order.
    pub help: &'static [HelpPage],
}

/// State shared by all pages.
pub(crate) struct PageState {
    runs: Arc<Runs>,
    /// Folder of runs, pieces and tables.
    folder: PathBuf,
    /// Answers questions of the proof-game editor while a problem is edited.
    desk: Desk,
    /// Answers questions about stenos.
    stenos: Desk,
    /// Answers questions about tables, and keeps those that it has built.
    tables: Arc<Desks>,
    /// Statistics of tables that were requested.
    counted: tables::Counted,
    streams: Arc<Semaphore>,
    /// Pages that search a position take turns.
    searches: Arc<Semaphore>,
    /// Searches of pages that follow them live.
    engines: Arc<Engines>,
    /// Archives that are being uploaded.
    uploads: Arc<Semaphore>,
    /// Folder of the laboratory.
    lab: PathBuf,
    help: &'static [HelpPage],
    options: Options,
}

type SharedPage = Arc<PageState>;

/// Reason why the page is not served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The token has other characters or another length.
    #[error("token must be 8 to 64 letters, digits, - or _")]
    Token,
    /// The system gives no random bits for a token.
    #[error("cannot generate a token: {0}")]
    Random(#[from] getrandom::Error),
    /// The address cannot be used.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Address.
        address: SocketAddr,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The standard output is closed.
    #[error("the address cannot be written")]
    Output,
    /// The folder of the runs cannot be used.
    #[error("{path}: {source}")]
    Folder {
        /// Folder.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The operating system does not start a thread.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Serves the page until the process is interrupted; returns the exit status.
pub fn serve(wish: Serve, options: Options) -> u8 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let served = match runtime {
        Ok(runtime) => runtime.block_on(live(wish, options)),
        Err(error) => Err(error.into()),
    };
    match served {
        Ok(()) => 0,
        Err(why) => server::complain(&why.to_string()),
    }
}

/// JSON record of the address, of `serve --json`.
#[derive(serde::Serialize)]
#[serde(tag = "t", rename = "serving")]
struct ServedRecord<'a> {
    /// Address for a browser.
    url: &'a str,
}

async fn live(wish: Serve, options: Options) -> Result<(), ServeError> {
    let ip = wish.listen.unwrap_or(LOOPBACK);
    let token = match wish.token.clone() {
        None if !ip.is_loopback() => Some(made_token()?),
        given => given,
    };
    if token.as_deref().is_some_and(|token| !is_token(token)) {
        return Err(ServeError::Token);
    }
    if !ip.is_loopback() {
        umbrail_control::print_error!(
            "umbrail: the connection is not encrypted: put a server with TLS in front of this address"
        );
    }
    let asked = SocketAddr::new(ip, wish.port);
    let listener = TcpListener::bind(asked)
        .await
        .map_err(|source| ServeError::Listen { address: asked, source })?;
    let bound = listener.local_addr()?;
    let page = LocalPage::open(&wish, bound, token, &options)?;
    let served = ServedRecord { url: &page.url };
    if server::print_record(&served, &format!("{}\n", page.url)) != 0 {
        return Err(ServeError::Output);
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

/// The complete page, without the network.
#[derive(Clone)]
pub struct LocalPage {
    /// Address for the user.
    url: String,
    runs: Arc<Runs>,
    router: Router,
}

impl LocalPage {
    /// Opens the folder of a page with this address.
    ///
    /// # Errors
    /// The folder cannot be used, or the system does not start a thread.
    pub fn open(
        wish: &Serve,
        bound: SocketAddr,
        token: Option<String>,
        options: &Options,
    ) -> Result<Self, ServeError> {
        let address = Address::new(bound, token);
        let fail = |source| ServeError::Folder { path: wish.folder.clone(), source };
        let runs = Runs::open(&wish.folder, options.clone()).map_err(fail)?;
        let folder = wish.folder.canonicalize().map_err(fail)?;
        let desk = || Desk::new(options.clone());
        let shared = Arc::new(PageState {
            runs: Arc::clone(&runs),
            folder,
            desk: desk()?,
            stenos: desk()?,
            tables: Arc::new(Desks::new(options, TABLE_DESKS)?),
            counted: tables::Counted::default(),
            streams: Arc::new(Semaphore::new(STREAMS_MAX)),
            searches: Arc::new(Semaphore::new(1)),
            engines: Arc::new(Engines::new(options.threads)),
            uploads: Arc::new(Semaphore::new(UPLOADS_MAX)),
            lab: wish.lab.clone(),
            help: wish.help,
            options: options.clone(),
        });
        let url = address.url();
        Ok(Self { url, runs, router: routes::router(shared, Arc::new(address)) })
    }

    /// Answers requests of one connection until it is closed.
    pub async fn converse(self, connection: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        converse(connection, self.router).await;
    }

    /// Stops all runs and waits a while for them.
    pub async fn close(&self) {
        self.runs.close().await;
    }
}

/// Waits for Ctrl-C or a request to terminate.
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

/// Returns true if a token may appear in an address and in a cookie.
fn is_token(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (8..=64).contains(&text.len()) && text.bytes().all(plain)
}

/// Returns 128 random bits of the system as hexadecimal digits.
fn made_token() -> Result<String, getrandom::Error> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::{is_token, made_token};

    #[test]
    fn tokens_fit_into_an_address() {
        let (one, other) = (made_token().unwrap(), made_token().unwrap());
        assert!(is_token(&one) && one != other);
        assert!(!is_token("short") && !is_token("with blank") && !is_token("a;b=cdefgh"));
    }
}
