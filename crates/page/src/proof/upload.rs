//! Upload of an archive: received in chunks, and made into a run that can be resumed.

use super::super::SharedPage;
use super::super::work::{ARCHIVE, ProofRequest, RunRequest};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use futures_core::Stream;
use std::fs::File;
use std::future::poll_fn;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, channel};
use umbrail_proof::files::archive::Archive;
use umbrail_proof::run::Words;

/// Maximum size of an archive, in bytes.
const BYTES_MAX: u64 = 256 << 20;
/// Time limit for each chunk.
const PIECE_TIME_MAX: Duration = Duration::from_secs(10);
/// Maximum number of chunks that wait to be written.
const PIECES_MAX: usize = 8;
/// Maximum length of the first line, in bytes.
const HEADER_BYTES_MAX: u64 = 64 << 10;

/// Numbers the files that are being uploaded to this process.
static UPLOADS: AtomicU64 = AtomicU64::new(0);

/// Reason why an archive is not accepted.
struct UploadFault(StatusCode, String);

impl UploadFault {
    fn unreadable(why: impl ToString) -> Self {
        Self(StatusCode::UNPROCESSABLE_ENTITY, why.to_string())
    }

    fn own(why: impl ToString) -> Self {
        Self(StatusCode::INTERNAL_SERVER_ERROR, why.to_string())
    }
}

/// A file that is deleted when this value is dropped.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        // The deletion fails if the file was moved into the run's folder.
        let _ = std::fs::remove_file(&self.0);
    }
}

pub(crate) async fn upload(State(shared): State<SharedPage>, body: Body) -> Response {
    let Ok(_place) = Arc::clone(&shared.uploads).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "other archives are being uploaded; try again\n")
            .into_response();
    };
    match taken(&shared, body).await {
        Ok(id) => Redirect::to(&format!("/proof/{id}")).into_response(),
        Err(UploadFault(status, why)) => (status, format!("{why}\n")).into_response(),
    }
}

async fn taken(shared: &SharedPage, body: Body) -> Result<String, UploadFault> {
    // Relaxed ordering suffices: the number guards no other data.
    let number = UPLOADS.fetch_add(1, Ordering::Relaxed);
    let part = Part(shared.folder.join(format!("upload-{}-{number}.part", std::process::id())));
    let (send, pieces) = channel(PIECES_MAX);
    let path = part.0.clone();
    let writing = tokio::task::spawn_blocking(move || write(&path, pieces));
    let mut stream = Box::pin(body.into_data_stream());
    let mut bytes = 0;
    loop {
        let piece = poll_fn(|context| Pin::new(&mut stream).poll_next(context));
        let piece = match tokio::time::timeout(PIECE_TIME_MAX, piece).await {
            Err(_) => {
                let why = "the archive took too long".to_owned();
                return Err(UploadFault(StatusCode::REQUEST_TIMEOUT, why));
            }
            Ok(None) => break,
            Ok(Some(Err(error))) => return Err(UploadFault::unreadable(error)),
            Ok(Some(Ok(piece))) => piece,
        };
        bytes += piece.len() as u64;
        if bytes > BYTES_MAX {
            let why = format!("at most {} MiB can be sent", BYTES_MAX >> 20);
            return Err(UploadFault(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        // The error of a failed writer is reported below.
        if send.send(piece).await.is_err() {
            break;
        }
    }
    drop(send);
    let written = writing.await.map_err(UploadFault::own)?;
    written.map_err(UploadFault::own)?;
    let (runs, path) = (Arc::clone(&shared.runs), part.0.clone());
    let made = tokio::task::spawn_blocking(move || {
        let request = RunRequest::Proof(problem(&path)?);
        runs.take_in(&request, &path, ARCHIVE).map_err(UploadFault::own)
    });
    made.await.map_err(UploadFault::own)?
}

fn write(path: &Path, mut pieces: Receiver<Bytes>) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    while let Some(piece) = pieces.blocking_recv() {
        file.write_all(&piece)?;
    }
    file.sync_all()
}

/// Returns the problem of an archive, from its first line.
fn problem(path: &Path) -> Result<ProofRequest, UploadFault> {
    let file = File::open(path).map_err(UploadFault::unreadable)?;
    let mut line = vec![];
    let read = BufReader::new(file.take(HEADER_BYTES_MAX)).read_until(b'\n', &mut line);
    read.map_err(UploadFault::unreadable)?;
    let header = Archive::read_header(&String::from_utf8_lossy(&line));
    let header = header.map_err(|error| {
        UploadFault::unreadable(format!("this is not an archive of proof games: {error}"))
    })?;
    let problem = header.problem().map_err(UploadFault::unreadable)?;
    Ok(ProofRequest {
        fen: problem.diagram.to_string(),
        moves: format!("{}.{}", problem.plies / 2, if problem.plies % 2 == 0 { 0 } else { 5 }),
        length: problem.length.word().to_owned(),
        retraction: header.retraction().word().to_owned(),
        conditions: header.condition().unwrap_or("").to_owned(),
        ..ProofRequest::default()
    })
}
