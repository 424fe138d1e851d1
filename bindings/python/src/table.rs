//! Endgame tables: built as a job, opened from files, probed.

use crate::job::{Job, Means, Stopped, folder, granted, refused, unusable};
use crate::positions::setup;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use umbrail_chess::geometry::Color;
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::{
    BuildEvent, BuildOptions, BuildOutcome, BuildRequest, Compression, FairyBoard, Material,
    Metric, ProbeError, Rules, Stalemate, TableValue, Tablebase, solve,
};

/// A value: 1, 0 or -1 for the side to move, and the plies to the end of the count (none for a draw).
type ValueOut = (i32, Option<usize>);

fn value_out(value: TableValue) -> ValueOut {
    (value.wdl(), value.signed_plies().map(|plies| plies.unsigned_abs() as usize))
}

/// What one side has in a table: the fields of `umbrail.SideStatistics`.
#[derive(IntoPyObject)]
struct SideOut {
    legal: u64,
    won: u64,
    lost: u64,
    max_win: usize,
    longest_win: Option<String>,
    wins: BTreeMap<usize, u64>,
    losses: BTreeMap<usize, u64>,
}

/// The numbers of positions by plies, without zeros.
fn histogram(counts: &[u64]) -> BTreeMap<usize, u64> {
    counts.iter().copied().enumerate().filter(|&(_, count)| count > 0).collect()
}

/// Built or opened tables. `umbrail.Table` is made of it.
#[pyclass(frozen, module = "umbrail._native")]
pub(crate) struct Table(Mutex<Tablebase>);

impl Table {
    fn tables(&self) -> MutexGuard<'_, Tablebase> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers a question about a board without holding the interpreter: under castling rights an answer may build a table.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        fen: &str,
        question: impl FnOnce(&Tablebase, &FairyBoard) -> Result<T, ProbeError> + Send,
    ) -> PyResult<T> {
        let setup = setup(fen)?;
        let answer = py.detach(|| {
            let tables = self.tables();
            let board = tables.board(&setup)?;
            question(&tables, &board)
        });
        answer.map_err(|error| match error {
            ProbeError::Damaged(why) => unusable(why),
            other => refused(other),
        })
    }
}

/// Returns the error with the number of its position in front, and with the same class.
fn numbered(py: Python<'_>, number: usize, error: &PyErr) -> PyErr {
    let text = format!("position {number}: {}", error.value(py));
    PyErr::from_type(error.get_type(py), text)
}

#[pymethods]
impl Table {
    #[getter]
    fn material(&self) -> String {
        self.tables().material().to_string()
    }

    #[getter]
    fn metric(&self) -> &'static str {
        self.tables().rules().metric.name()
    }

    fn probe(&self, py: Python<'_>, fen: &str) -> PyResult<ValueOut> {
        self.ask(py, fen, |tables, board| Ok(value_out(tables.value(board)?)))
    }

    /// Values of many positions: results, and plies, -1 for a draw.
    fn probe_many(&self, py: Python<'_>, fens: Vec<String>) -> PyResult<(Vec<i8>, Vec<i32>)> {
        let (mut results, mut plies) = (vec![], vec![]);
        for (number, fen) in fens.iter().enumerate() {
            let value = self
                .ask(py, fen, |tables, board| tables.value(board))
                .map_err(|error| numbered(py, number, &error))?;
            results.push(i8::try_from(value.wdl()).unwrap_or_default());
            let signed = value.signed_plies().map(|plies| plies.abs());
            plies.push(signed.map_or(-1, |plies| i32::try_from(plies).unwrap_or(i32::MAX)));
        }
        Ok((results, plies))
    }

    /// Moves in coordinates with their values, the best first.
    fn moves(&self, py: Python<'_>, fen: &str) -> PyResult<Vec<(String, ValueOut)>> {
        self.ask(py, fen, |tables, board| {
            let moves = tables.moves(board)?;
            Ok(moves.iter().map(|one| (one.mv.to_string(), value_out(one.value))).collect())
        })
    }

    fn line(&self, py: Python<'_>, fen: &str, plies: usize) -> PyResult<Vec<String>> {
        self.ask(py, fen, |tables, board| {
            Ok(tables.line(board, plies)?.iter().map(ToString::to_string).collect())
        })
    }

    /// The hardest wins of White (or of Black), the winner to move (or not).
    fn hardest(
        &self,
        py: Python<'_>,
        white: bool,
        winner_moves: bool,
        limit: usize,
    ) -> PyResult<Vec<String>> {
        let winner = if white { Color::White } else { Color::Black };
        let boards = py.detach(|| {
            let mut tables = self.tables();
            in_memory(&mut tables)?;
            Ok::<_, PyErr>(tables.hardest(winner, winner_moves, limit))
        })?;
        Ok(boards.iter().map(FairyBoard::to_fen).collect())
    }

    /// White's and Black's statistics.
    fn statistics(&self, py: Python<'_>) -> PyResult<[SideOut; 2]> {
        let counted = py.detach(|| {
            let mut tables = self.tables();
            in_memory(&mut tables)?;
            Ok::<_, PyErr>(tables.statistics())
        })?;
        let counted = counted.ok_or_else(|| refused("the table is not built"))?;
        Ok(Color::ALL.map(|color| {
            // A direction of the statistics has the losses of the other side.
            let [side, other] = [color, !color].map(|winner| &counted.sides[winner.index()]);
            SideOut {
                legal: counted.legal[color.index()].full_board,
                won: side.won.full_board,
                lost: other.lost.full_board,
                max_win: counted.max_win(color),
                longest_win: side.longest_win.clone(),
                wins: histogram(&side.won_in),
                losses: histogram(&other.lost_in),
            }
        }))
    }

    /// Saves all files into a folder; gives their names and bytes.
    fn save(&self, py: Python<'_>, folder: &str, small: bool) -> PyResult<Vec<(String, u64)>> {
        let effort = if small { Compression::Shipping } else { Compression::Working };
        py.detach(|| self.tables().save(Path::new(folder), effort)).map_err(unusable)
    }

    /// Bytes of memory that the tables hold.
    #[getter]
    fn held_bytes(&self) -> u64 {
        self.tables().held_bytes()
    }
}

/// Counting needs whole tables in memory.
fn in_memory(tables: &mut Tablebase) -> PyResult<()> {
    if tables.is_in_memory() {
        Ok(())
    } else {
        Err(PyValueError::new_err("the files are only opened; load them with into_memory=True"))
    }
}

/// The request, from the words of Python.
fn request(
    material: &str,
    metric: &str,
    pieces: Option<&str>,
    stalemate: &str,
    bare_loses: bool,
) -> PyResult<BuildRequest> {
    let metric = Metric::from_name(metric)
        .ok_or_else(|| refused(format!("metric must be dtm, dtc, level or dtz, got {metric}")))?;
    let stalemate = match stalemate {
        "draw" => Stalemate::Draw,
        "win" => Stalemate::Win,
        "pass" => Stalemate::Pass,
        other => return Err(refused(format!("stalemate must be draw, win or pass, got {other}"))),
    };
    let pieces = match pieces {
        None => PieceSet::default(),
        Some(text) => PieceSet::with_definitions(text).map_err(|faults| {
            refused(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
        })?,
    };
    let material = Material::read(material, &pieces).map_err(refused)?;
    let rules = Rules { metric, stalemate, bare_loses, ..Rules::default() };
    Ok(BuildRequest::new(&material, &pieces, &rules))
}

/// Starts building a table; the answer is a `Table`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the fields of the Python class, in its order")]
pub(crate) fn start_table(
    material: &str,
    metric: &str,
    pieces: Option<&str>,
    stalemate: &str,
    bare_loses: bool,
    cache: Option<String>,
    threads: usize,
    memory_mib: Option<u64>,
    seconds: Option<f64>,
) -> PyResult<Job> {
    let request = request(material, metric, pieces, stalemate, bare_loses)?;
    let options = BuildOptions {
        memory_bytes: granted(memory_mib, 4096),
        folder: cache.map(Into::into),
        ..BuildOptions::default()
    };
    Job::start(&Means::new(threads, seconds)?, move |place| {
        let progress = place.progress();
        let notify = |event| match event {
            BuildEvent::Started { name, cells } => {
                progress.done.set(0);
                progress.total.set(cells.saturating_mul(2));
                place.notify(format!("table {name}"));
            }
            BuildEvent::Ply(counts) => {
                progress.done.add(counts.lost + counts.won);
                progress.nodes.add(counts.lost + counts.won);
            }
            BuildEvent::Done { name, longest } => {
                place.notify(format!(
                    "table {name} is finished: the longest win has {longest} plies"
                ));
            }
            BuildEvent::Unusable(why) | BuildEvent::Unsaved(why) | BuildEvent::Unkept(why) => {
                place.notify(why);
            }
            BuildEvent::Kept(name, file) => {
                place.notify(format!("the next build of {name} resumes from {file}"));
            }
            BuildEvent::Planned { .. } | BuildEvent::Part(_) => {}
        };
        match solve(&request, &options, &place.control(&notify)) {
            BuildOutcome::Complete(tables) => Ok(Table(Mutex::new(*tables))),
            BuildOutcome::Stopped => Err(Stopped::new_err("the build was stopped")),
            BuildOutcome::OutOfMemory(why) => Err(PyMemoryError::new_err(format!(
                "the table {why} (memory_mib is {})",
                options.memory_bytes >> 20
            ))),
            BuildOutcome::Files(why) => Err(PyOSError::new_err(why)),
            BuildOutcome::Refused(why) => Err(refused(why)),
        }
    })
}

/// Opens the files of a table in a folder.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the fields of the Python class, in its order")]
pub(crate) fn load_table(
    py: Python<'_>,
    material: &str,
    files: &str,
    metric: &str,
    pieces: Option<&str>,
    stalemate: &str,
    bare_loses: bool,
    into_memory: bool,
    cache_mib: usize,
) -> PyResult<Table> {
    let request = request(material, metric, pieces, stalemate, bare_loses)?;
    let files = folder(files)?;
    let mut tables = Tablebase::new(request, BuildOptions::default()).map_err(refused)?;
    py.detach(|| tables.load(files, into_memory, cache_mib << 20)).map_err(unusable)?;
    Ok(Table(Mutex::new(tables)))
}
