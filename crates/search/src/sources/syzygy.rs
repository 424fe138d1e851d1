//! Endgame tables in the Syzygy format (Ronald de Man, 2013), read by the `shakmaty-syzygy`
//! package.
//!
//! Below the root a position is probed for win, draw or loss, and only if its last move was a
//! capture or a pawn move, because the tables do not take the fifty-move counter into account. At
//! the root the distance to the next such move selects the moves, so that a win always makes
//! progress. Without that distance (a missing or damaged `.rtbz` file) the results alone rank the
//! root moves.

use super::error::SourceError;
use super::foreign;
use shakmaty::Chess;
use shakmaty_syzygy::{Dtz, ProbeError, SyzygyError, Tablebase, Wdl};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use umbrail_chess::{Move, Position};
use umbrail_control::lock;

/// Open tables.
pub(crate) struct Tables {
    tables: Tablebase<Chess>,
    pieces: u32,
    faults: Mutex<ProbeFaults>,
}

/// Tables that turned out to be damaged when they were probed.
#[derive(Default)]
struct ProbeFaults {
    /// The tables, so that each is reported once.
    known: BTreeSet<String>,
    unreported: Vec<String>,
}

/// Tables of a list of folders.
#[derive(Debug)]
pub(crate) struct OpenedTables {
    /// The tables; none if no file can be used.
    pub tables: Option<Tables>,
    /// Numbers of tables and their largest number of pieces, for the user.
    pub summary: Option<String>,
    /// Entries and files that are skipped.
    pub faults: Vec<SourceError>,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tables({} pieces)", self.pieces)
    }
}

/// Result of a position with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TableVerdict {
    Loss,
    /// Loss that the fifty-move rule turns into a draw.
    SavedLoss,
    Draw,
    /// Win that the fifty-move rule turns into a draw.
    SpoiledWin,
    Win,
}

impl From<Wdl> for TableVerdict {
    fn from(wdl: Wdl) -> Self {
        match wdl {
            Wdl::Loss => Self::Loss,
            Wdl::BlessedLoss => Self::SavedLoss,
            Wdl::Draw => Self::Draw,
            Wdl::CursedWin => Self::SpoiledWin,
            Wdl::Win => Self::Win,
        }
    }
}

impl Tables {
    /// Opens all tables in a list of folders with the path separator of the operating system.
    /// Skips what cannot be used: empty entries, folders that cannot be read, damaged files.
    pub(crate) fn open(folders: &str) -> OpenedTables {
        let mut tables = Tablebase::new();
        let (mut found, mut faults) = (BTreeSet::new(), vec![]);
        let mut entries = std::env::split_paths(folders).peekable();
        while let Some(folder) = entries.next() {
            if folder.as_os_str().is_empty() {
                let place = if entries.peek().is_none() { "last" } else { "an" };
                let reason = format!("{place} entry is empty and skipped");
                faults.push(fault(folders.to_owned(), reason));
                continue;
            }
            let files = match table_files(&folder) {
                Ok(files) => files,
                Err(error) => {
                    faults.push(unreadable(&folder, error));
                    continue;
                }
            };
            for (path, format) in files {
                match format.check(&path).and_then(|()| tables.add_file(&path)) {
                    Ok(()) => {
                        found.insert((format, path.file_stem().map(|name| name.to_owned())));
                    }
                    // The name is not that of a material.
                    Err(error) if error.kind() == ErrorKind::InvalidInput => {}
                    Err(error) if error.kind() == ErrorKind::InvalidData => {
                        let reason = format!("damaged and skipped: {error}");
                        faults.push(fault(path.display().to_string(), reason));
                    }
                    Err(error) => faults.push(unreadable(&path, error)),
                }
            }
        }
        if found.is_empty() {
            if faults.is_empty() {
                let reason = "expected .rtbw and .rtbz files, found none".to_owned();
                faults.push(fault(folders.to_owned(), reason));
            }
            let summary = Some("SyzygyPath: found no tables".to_owned());
            return OpenedTables { tables: None, summary, faults };
        }
        let count = |format| found.iter().filter(|(other, _)| *other == format).count();
        let (wdl, dtz) = (count(TableFormat::Wdl), count(TableFormat::Dtz));
        let pieces = tables.max_pieces() as u32;
        let summary =
            format!("SyzygyPath: found {wdl} WDL and {dtz} DTZ tables, up to {pieces} pieces");
        let tables = Self { tables, pieces, faults: Mutex::default() };
        OpenedTables { tables: Some(tables), summary: Some(summary), faults }
    }

    /// Returns the largest number of pieces of any table.
    pub(crate) fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Returns the result of a position whose last move was a capture or a pawn move.
    pub(crate) fn verdict(&self, position: &Position) -> Option<TableVerdict> {
        if position.halfmoves() > 0 || may_castle(position) {
            return None;
        }
        let foreign = foreign::position(position)?;
        Some(self.heed(self.tables.probe_wdl_after_zeroing(&foreign))?.into())
    }

    /// Returns the root moves with their ranks and results for the side to move. A higher rank is
    /// better: first the result, then short wins and long losses. None if a move is missing from
    /// the tables.
    pub(crate) fn rank_moves(
        &self,
        position: &Position,
        moves: &[Move],
        fifty: bool,
    ) -> Option<Vec<(Move, i32, TableVerdict)>> {
        if may_castle(position) || position.occupied().len() > self.pieces {
            return None;
        }
        let by_distance = |mv| {
            let distance = self.distance(position, mv)?;
            Some(rank(distance, position.halfmoves(), fifty))
        };
        let by_result = |mv| Some(result_rank(self.result(position, mv)?, fifty));
        let ranks = |rank: &dyn Fn(Move) -> Option<i32>| {
            moves.iter().map(|&mv| rank(mv)).collect::<Option<Vec<i32>>>()
        };
        let ranks = ranks(&by_distance).or_else(|| ranks(&by_result))?;
        Some(moves.iter().zip(ranks).map(|(&mv, rank)| (mv, rank, verdict(rank))).collect())
    }

    /// Returns the plies from the root position over this move to the next capture or pawn move of
    /// the winner; negative if the other side wins, 0 for a draw.
    fn distance(&self, position: &Position, mv: Move) -> Option<i32> {
        let next = position.after(mv);
        if next.is_mate() {
            return Some(1);
        }
        let foreign = foreign::position(&next)?;
        if next.halfmoves() == 0 {
            let wdl = self.heed(self.tables.probe_wdl_after_zeroing(&foreign))?;
            return Some(-Dtz::before_zeroing(wdl).0);
        }
        let Dtz(plies) = self.heed(self.tables.probe_dtz(&foreign))?.ignore_rounding();
        Some(-plies - plies.signum())
    }

    /// Returns the result of a root move for the side that makes it, without regard to the
    /// fifty-move counter.
    fn result(&self, position: &Position, mv: Move) -> Option<TableVerdict> {
        let next = position.after(mv);
        if next.is_mate() {
            return Some(TableVerdict::Win);
        }
        let foreign = foreign::position(&next)?;
        Some((-self.heed(self.tables.probe_wdl_after_zeroing(&foreign))?).into())
    }

    /// Returns the value of a probe. Records a damaged file, which differs from a missing one.
    fn heed<T>(&self, probed: Result<T, SyzygyError>) -> Option<T> {
        match probed {
            Ok(value) => Some(value),
            Err(error) => {
                if let SyzygyError::ProbeFailed { metric, material, error } = &error {
                    let mut faults = lock(&self.faults);
                    // The package's text of a damaged table holds a backtrace.
                    let cause = match &**error {
                        ProbeError::CorruptedTable { .. } => "the file is damaged".to_owned(),
                        error => error.to_string(),
                    };
                    let table = format!("{metric} table {material}");
                    if faults.known.insert(table.clone()) {
                        faults
                            .unreported
                            .push(format!("SyzygyPath: cannot probe {table}: {cause}"));
                    }
                }
                None
            }
        }
    }

    /// Takes the reports of damaged tables since the last call.
    pub(crate) fn take_faults(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.faults).unreported)
    }
}

/// Kind of a table file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TableFormat {
    /// Win, draw or loss.
    Wdl,
    /// Distance to zeroing.
    Dtz,
}

impl TableFormat {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "rtbw" => Some(Self::Wdl),
            "rtbz" => Some(Self::Dtz),
            _ => None,
        }
    }

    /// Compares the first four bytes of a file with those of the format; the package would find
    /// the difference only in a search.
    fn check(self, path: &Path) -> io::Result<()> {
        let expected = match self {
            Self::Wdl => [0x71, 0xE8, 0x23, 0x5D],
            Self::Dtz => [0xD7, 0x66, 0x0C, 0xA5],
        };
        // A pipe would block the reader.
        if !fs::metadata(path)?.is_file() {
            return Err(ErrorKind::InvalidInput.into());
        }
        let mut start = [0; 4];
        let read = File::open(path)?.read_exact(&mut start);
        match read {
            Ok(()) if start == expected => Ok(()),
            Err(error) if error.kind() != ErrorKind::UnexpectedEof => Err(error),
            _ => Err(io::Error::new(ErrorKind::InvalidData, "not a Syzygy table")),
        }
    }
}

/// Returns the files of a folder with the extension of a table, in the order of their names.
fn table_files(folder: &Path) -> io::Result<Vec<(PathBuf, TableFormat)>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    let table = |path: PathBuf| TableFormat::of(&path).map(|format| (path, format));
    Ok(paths.into_iter().filter_map(table).collect())
}

fn fault(path: String, reason: String) -> SourceError {
    SourceError::Format { option: "SyzygyPath", path, reason }
}

fn unreadable(path: &Path, error: io::Error) -> SourceError {
    SourceError::Unreadable { option: "SyzygyPath", path: path.display().to_string(), error }
}

fn may_castle(position: &Position) -> bool {
    use umbrail_chess::geometry::Color;
    Color::ALL.into_iter().any(|color| {
        [false, true].into_iter().any(|side| position.castling_rook(color, side).is_some())
    })
}

/// Lowest rank of wins that the fifty-move rule does not affect.
const WON: i32 = 10_000;

/// Returns the rank of a move by its distance: wins before spoiled wins before draws before saved
/// losses before losses; short wins and long losses first.
fn rank(distance: i32, halfmoves: u16, fifty: bool) -> i32 {
    let used = i32::from(halfmoves);
    let in_time = !fifty || distance.abs() + used <= 100;
    match distance {
        0 => 0,
        1.. if in_time => 2 * WON - distance,
        1.. => WON - 1_000 - distance,
        _ if in_time => -2 * WON - distance,
        _ => -WON + 1_000 - distance,
    }
}

/// Returns the rank of a move of which only the result is known.
fn result_rank(verdict: TableVerdict, fifty: bool) -> i32 {
    match verdict {
        TableVerdict::Win => WON,
        TableVerdict::SpoiledWin if !fifty => WON,
        TableVerdict::SpoiledWin => 1,
        TableVerdict::Draw => 0,
        TableVerdict::SavedLoss if !fifty => -WON,
        TableVerdict::SavedLoss => -1,
        TableVerdict::Loss => -WON,
    }
}

/// Returns the result that a rank stands for.
fn verdict(rank: i32) -> TableVerdict {
    match rank {
        WON.. => TableVerdict::Win,
        1.. => TableVerdict::SpoiledWin,
        0 => TableVerdict::Draw,
        _ if rank <= -WON => TableVerdict::Loss,
        _ => TableVerdict::SavedLoss,
    }
}

#[cfg(test)]
mod tests;
