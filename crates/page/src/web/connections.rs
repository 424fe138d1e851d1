//! Connections: accepted up to a maximum number, each with a time limit for its requests.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Maximum number of simultaneous connections; further ones wait.
const CONNECTIONS_MAX: usize = 256;
/// Time limit for the head of a request.
const HEAD_TIME_MAX: Duration = Duration::from_secs(10);
/// Maximum size of the head of a request, in bytes.
const HEAD_BYTES_MAX: usize = 32 << 10;
/// Delay after a failed accept, for example without a free file descriptor.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers requests of one connection until it is closed.
pub(crate) async fn converse(
    connection: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
) {
    let service = TowerToHyperService::new(router);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME_MAX);
    http.max_buf_size(HEAD_BYTES_MAX);
    // A client that disconnects is not an error.
    let _ = http.serve_connection(TokioIo::new(connection), service).await;
}

/// Accepts connections until the future is dropped; calls `answer` for each connection.
pub(crate) async fn accept<A>(listener: TcpListener, answer: impl Fn(TcpStream) -> A)
where
    A: Future<Output = ()> + Send + 'static,
{
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        // The semaphore is never closed.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::debug!(%error, "no connection");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        // Answers are short, and events should arrive without delay.
        let _ = stream.set_nodelay(true);
        let talk = answer(stream);
        tokio::spawn(async move {
            talk.await;
            drop(place);
        });
    }
}
