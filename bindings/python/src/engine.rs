//! The player: an engine that keeps what it learns from search to search, and its searches as jobs.

use crate::job::{Job, Means, refused, unusable};
use crate::positions::{move_of, played};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::Duration;
use umbrail_chess::{CastlingMode, Position, to_san, to_uci};
use umbrail_control::read_file;
use umbrail_search::{
    Bound, ELO_MAX, Ended, Limits, PvLine, Score, SearchInfo, SearchParams, SearchRequest,
    WIN_MODEL, solve,
};

/// The fields of `umbrail.Line`.
#[derive(IntoPyObject)]
struct LineOut {
    multipv: usize,
    depth: u32,
    seldepth: u32,
    score: Option<i32>,
    mate: Option<i32>,
    wdl: (u32, u32, u32),
    bound: &'static str,
    nodes: u64,
    seconds: f64,
    tbhits: u64,
    start: String,
    moves: Vec<String>,
    sans: Vec<String>,
    chess960: bool,
}

/// The fields of `umbrail.Analysis`, but for the lines, which come as events.
#[derive(IntoPyObject)]
struct AnswerOut {
    best: Option<String>,
    ponder: Option<String>,
    line: Option<LineOut>,
    lines: Vec<LineOut>,
    complete: bool,
}

fn line_out(start: &Position, line: &PvLine, chess960: bool) -> LineOut {
    let [win, draw, loss] = WIN_MODEL.chances(line.score, start);
    let (score, mate) = match WIN_MODEL.shown(line.score, start) {
        Score::Cp(cp) => (Some(cp), None),
        Score::Mate(moves) => (None, Some(moves)),
    };
    let mut position = *start;
    let (mut moves, mut sans) = (Vec::new(), Vec::new());
    for &mv in &line.pv {
        moves.push(to_uci(&position, mv, chess960));
        sans.push(to_san(&position, mv));
        position = position.after(mv);
    }
    LineOut {
        multipv: line.multipv,
        depth: line.depth,
        seldepth: line.seldepth,
        score,
        mate,
        wdl: (win, draw, loss),
        bound: match line.bound {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        },
        nodes: line.nodes,
        seconds: line.time.as_secs_f64(),
        tbhits: line.tbhits,
        start: start.to_string(),
        moves,
        sans,
        chess960,
    }
}

/// The engine. `umbrail.Engine` is made of it.
#[pyclass(frozen, module = "umbrail._native")]
pub(crate) struct Engine {
    engine: Arc<Mutex<umbrail_search::Engine>>,
    params: SearchParams,
    threads: usize,
}

#[pymethods]
impl Engine {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the fields of the Python class, in its order")]
    fn new(
        py: Python<'_>,
        hash_mib: usize,
        threads: usize,
        skill: u8,
        elo: Option<u32>,
        contempt: i32,
        syzygy_path: String,
        book_file: String,
        eval_file: String,
    ) -> PyResult<Self> {
        if hash_mib == 0 || skill > 20 {
            return Err(refused("hash_mib must be 1 or more, skill 0 to 20"));
        }
        let usual = SearchParams::default();
        let params = SearchParams {
            hash_mib,
            skill,
            limit_strength: elo.is_some(),
            elo: elo.unwrap_or(ELO_MAX),
            contempt,
            own_book: !book_file.is_empty(),
            use_nnue: usual.use_nnue || !eval_file.is_empty(),
            syzygy_path,
            book_file,
            eval_file,
            ..usual
        };
        let (engine, faults) = py.detach(|| {
            let engine = umbrail_search::Engine::new(hash_mib);
            let read = |path: &Path| read_file(path, &|| false);
            let faults = engine.configure(&params, &read);
            (engine, faults)
        });
        match faults.first() {
            Some(fault) => Err(unusable(fault)),
            None => Ok(Self { engine: Arc::new(Mutex::new(engine)), params, threads }),
        }
    }

    /// Starts a search; the events are lines, the answer is a dictionary.
    #[expect(clippy::too_many_arguments, reason = "the fields of the Python method, in its order")]
    fn start(
        &self,
        py: Python<'_>,
        fen: &str,
        moves: Vec<String>,
        chess960: bool,
        depth: Option<u32>,
        nodes: Option<u64>,
        mate: Option<u32>,
        seconds: Option<f64>,
        multipv: usize,
        only: Option<Vec<String>>,
    ) -> PyResult<Job> {
        let game = played(py, fen, &moves, CastlingMode::of(chess960))?;
        let position = game.position;
        let root_moves = match only {
            None => None,
            Some(texts) => Some(
                texts.iter().map(|text| move_of(&position, text)).collect::<PyResult<Vec<_>>>()?,
            ),
        };
        // Checks the time, too.
        let means = Means::new(self.threads, seconds)?;
        let movetime = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let infinite = depth.is_none() && nodes.is_none() && mate.is_none() && movetime.is_none();
        let limits = Limits { depth, nodes, mate, movetime, infinite, ..Limits::default() };
        let request = SearchRequest {
            position,
            history: game.keys,
            limits,
            root_moves,
            multipv: multipv.max(1),
        };
        let (engine, params) = (Arc::clone(&self.engine), self.params.clone());
        if matches!(engine.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(busy());
        }
        Job::start(&means, move |place| {
            let engine = match engine.try_lock() {
                Ok(engine) => engine,
                Err(TryLockError::Poisoned(broken)) => broken.into_inner(),
                Err(TryLockError::WouldBlock) => return Err(busy()),
            };
            // The latest line of each rank.
            let lines = Mutex::new(BTreeMap::new());
            let notify = |fact| {
                if let SearchInfo::Depth(line) = fact {
                    if line.bound == Bound::Exact {
                        let out = line_out(&position, &line, chess960);
                        lines
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .insert(line.multipv, out);
                    }
                    place.notify(line_out(&position, &line, chess960));
                }
            };
            let answer = solve(&engine, &request, &params, &place.control(&notify));
            let after = answer.best.map(|best| position.after(best));
            Ok(AnswerOut {
                best: answer.best.map(|best| to_uci(&position, best, chess960)),
                ponder: answer
                    .ponder
                    .zip(after)
                    .map(|(ponder, after)| to_uci(&after, ponder, chess960)),
                line: answer.line.map(|line| line_out(&position, &line, chess960)),
                lines: lines
                    .into_inner()
                    .unwrap_or_else(PoisonError::into_inner)
                    .into_values()
                    .collect(),
                complete: answer.ended == Ended::Complete,
            })
        })
    }

    /// The static value for the side to move, in centipawns.
    fn evaluate(
        &self,
        py: Python<'_>,
        fen: &str,
        moves: Vec<String>,
        chess960: bool,
    ) -> PyResult<i32> {
        let position = played(py, fen, &moves, CastlingMode::of(chess960))?.position;
        match py.detach(|| Some(self.engine.try_lock().ok()?.evaluate(&position, &self.params))) {
            Some(value) => Ok(value),
            None => Err(busy()),
        }
    }

    /// Forgets what was learned.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let cleared = py.detach(|| {
            let mut engine = self.engine.try_lock().ok()?;
            engine.clear();
            Some(())
        });
        cleared.ok_or_else(busy)
    }
}

fn busy() -> PyErr {
    PyRuntimeError::new_err("this engine is searching; stop that search, or create another engine")
}
