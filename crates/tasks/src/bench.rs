//! The benchmark: searches the fixed positions, the current one or those of a file, and reports
//! nodes and speed.

use super::sequences::count_sequences;
use std::time::Instant;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{CastlingMode, DroppedCastling, Position};
use umbrail_control::{Clock, Control};
use umbrail_search as search;
use umbrail_session::castling_note::castling_note;
use umbrail_session::command::{BenchLimit, BenchPositions};
use umbrail_session::job_context::{JobContext, JobReport};
use umbrail_session::task_error::TaskError;

/// Totals of the benchmark.
pub(super) struct BenchResult {
    /// Nodes searched.
    pub(super) nodes: u64,
    /// Search statistics.
    pub(super) keys: search::SearchStatistics,
    /// False when stopped.
    pub(super) complete: bool,
}

/// Searches positions one after another, or counts their move sequences. The fixed positions are
/// searched as in [`search::bench::signature`]: with one worker the node count is the signature.
///
/// # Errors
/// The file of positions or the network cannot be used, with the reason.
pub(super) fn bench(
    limit: BenchLimit,
    positions: &BenchPositions,
    (current, castling): (Option<Position>, CastlingMode),
    params: &search::SearchParams,
    job: &JobContext<'_>,
) -> Result<BenchResult, TaskError> {
    let positions: Vec<Position> = match positions {
        BenchPositions::Fixed => {
            search::bench::POSITIONS.iter().filter_map(|fen| search::bench::position(fen)).collect()
        }
        BenchPositions::Current => current.into_iter().collect(),
        BenchPositions::File(path) => bench_file(path, castling, job)?,
    };
    let usual = search::Limits::default();
    let engine = search::Engine::new(params.hash_mib);
    let opened = search::bench::network_only(params);
    if let Some(fault) = engine.configure(&opened, &|path| job.read_file(path)).pop() {
        return Err(TaskError::of(fault));
    }
    let nodes = || job.progress.nodes.get();
    for (index, &position) in positions.iter().enumerate() {
        let before = nodes();
        let search = |limits| {
            // Each search has a clock of its own.
            let clock = Clock::started(Instant::now());
            let notify = |_| {};
            // A time limit stops only its own search.
            let control = Control::new(job.cancel.child(), &clock, job.progress, job.pool, &notify);
            let request = search::SearchRequest { limits, ..search::bench::request(position, 1) };
            search::solve(&engine, &request, params, &control);
        };
        let usual = usual.clone();
        match limit {
            BenchLimit::Depth(depth) => search(search::Limits { depth: Some(depth), ..usual }),
            BenchLimit::Nodes(nodes) => search(search::Limits { nodes: Some(nodes), ..usual }),
            BenchLimit::MoveTime(time) => {
                search(search::Limits { movetime: Some(time), ..usual });
            }
            BenchLimit::Perft(depth) => {
                let notify = |()| {};
                // A stopped count is detected below.
                let _ = count_sequences(&position, depth, &job.control(&notify));
            }
        }
        if job.cancel.is_raised() {
            return Ok(BenchResult { nodes: nodes(), keys: engine.statistics(), complete: false });
        }
        let line = JobReport::BenchLine(
            index + 1,
            positions.len(),
            position.to_string(),
            nodes() - before,
        );
        (job.notify)(line);
    }
    Ok(BenchResult { nodes: nodes(), keys: engine.statistics(), complete: true })
}

/// Reads the positions of a file for the benchmark: one FEN or EPD a line. Empty lines and lines
/// that begin with `#` are skipped.
fn bench_file(
    path: &str,
    castling: CastlingMode,
    job: &JobContext<'_>,
) -> Result<Vec<Position>, TaskError> {
    let text = job.read_text(path)?;
    let (mut positions, mut dropped) = (vec![], None);
    for (at, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        let fields = match words.get(4..6).is_some_and(|counters| counters.iter().all(is_number)) {
            true => 6,
            false => words.len().min(4),
        };
        let setup: Result<Setup, _> = words[..fields].join(" ").parse();
        let position = setup.ok().and_then(|setup| {
            let position = Position::from_setup(&setup, castling).ok()?;
            Some((position, DroppedCastling::of(&setup, &position)))
        });
        let (position, lost) =
            position.ok_or_else(|| format!("{path}:{at}: expected a position, got \"{line}\""))?;
        dropped = dropped.or(lost.map(|lost| format!("{path}:{at}: {}", castling_note(lost))));
        positions.push(position);
    }
    // The first one suffices: in a suite of Chess960 all positions have such rights.
    if let Some(dropped) = dropped {
        (job.notify)(JobReport::Note(dropped));
    }
    match positions.is_empty() {
        true => Err(format!("{path}: expected positions, found none").into()),
        false => Ok(positions),
    }
}
