//! Syzygy's tables as a cross-check: compares positions of a DTZ table with files that another
//! program made and another library reads.

use super::fairy_board::FairyBoard;
use super::material_key::MaterialKey;
use super::rules::{Metric, Rules};
use super::stats;
use super::tablebase::Tablebase;
use super::value::TableValue;
use super::verify::Verification;
use crate::fairy::PieceSet;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::{Dtz, MaybeRounded, Tablebase as SyzygyTables};
use std::path::Path;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_control::{Control, Stopped};

/// Number of words compared between two cancellation checks.
const CHECKED: usize = 64;
/// Maximum number of faults that are reported.
const FAULTS_SHOWN: usize = 20;

/// Reason why nothing was compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyzygyError {
    /// The folder cannot be read, or has no such files.
    #[error("{0}")]
    Folder(String),
    /// Syzygy's files have other rules or pieces than this table.
    #[error("Syzygy tables require the metric dtz and the usual {0}")]
    Rules(&'static str),
    /// A required file is absent or damaged.
    #[error("{0}")]
    Probe(String),
    /// The comparison was stopped.
    #[error("stopped")]
    Stopped,
}

impl From<Stopped> for SyzygyError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl Tablebase {
    /// Compares every `stride`-th word (1 = all) of a DTZ table with Syzygy's files in a folder:
    /// legality of positions, and result and distance of legal ones.
    ///
    /// # Errors
    /// [`SyzygyError`] when there is nothing to compare with.
    pub fn verify_with_syzygy<F>(
        &mut self,
        folder: &Path,
        stride: usize,
        control: &Control<'_, F>,
    ) -> Result<Verification, SyzygyError> {
        if *self.rules() != Rules::orthodox(Metric::Dtz) {
            return Err(SyzygyError::Rules("rules"));
        }
        let usual = PieceSet::default();
        let pieces = Color::ALL.iter().flat_map(|&color| self.material().side(color));
        let known = |letter| "KQRBNP".contains(letter);
        if !pieces.clone().all(|p| known(p.letter) && usual.get(p.letter) == Some(p))
            || Color::ALL.iter().any(|&color| self.material().side(color)[0].letter != 'K')
        {
            return Err(SyzygyError::Rules("pieces"));
        }
        let mut tables = SyzygyTables::<Chess>::new();
        let shown = folder.display();
        match tables.add_directory(folder) {
            Ok(0) => {
                let why = format!("{shown}: expected .rtbw and .rtbz files, found none");
                return Err(SyzygyError::Folder(why));
            }
            Ok(_) => {}
            Err(_) => return Err(SyzygyError::Folder(format!("{shown} cannot be read"))),
        }
        let mut verdict = Verification::default();
        let (key, words, total) = self.places();
        let places = (0..total).step_by(stride.max(1));
        control.progress.done.set(0);
        control.progress.total.set(places.len() as u64);
        for (number, place) in places.enumerate() {
            if number % CHECKED == 0 {
                control.check()?;
                control.progress.done.set(number as u64);
            }
            for board in self.boards(&key, (place / words, place % words)) {
                self.compare_with(&tables, &board, &mut verdict)?;
            }
        }
        Ok(verdict)
    }

    /// Returns the table of White's wins, its words per slice, and its total number of words.
    fn places(&mut self) -> (MaterialKey, usize, usize) {
        let (table_set, key) = self.white_wins();
        let layout = table_set.whole(&key).map(|table| &table.layout);
        let (words, total) = layout.map_or((1, 0), |layout| (layout.words, layout.total_words()));
        (key, words, total)
    }

    /// Returns the boards of a stored word, legal or not, with either side to move.
    fn boards(&self, key: &MaterialKey, (slice, word): (usize, usize)) -> Vec<FairyBoard> {
        let table_set = &self.table_set;
        let Some(table) = table_set.whole(key) else { return Vec::new() };
        let cells = (0..64).flat_map(|b| Color::ALL.map(|turn| (b, turn)));
        let boards = cells.map(|(b, turn)| {
            stats::board(table_set, key, &table.layout, Color::White, turn, slice, word, b)
        });
        let apart = |board: &FairyBoard| {
            let pieces = &board.pieces;
            (1..pieces.len())
                .all(|i| pieces[..i].iter().all(|piece| piece.square != pieces[i].square))
        };
        boards.filter(apart).collect()
    }

    fn compare_with(
        &self,
        tables: &SyzygyTables<Chess>,
        board: &FairyBoard,
        verdict: &mut Verification,
    ) -> Result<(), SyzygyError> {
        let fen = board.to_fen();
        let theirs: Option<Chess> =
            fen.parse::<Fen>().ok().and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
        let setup = fen.parse::<Setup>().ok();
        let ours = setup.and_then(|setup| self.board(&setup).ok());
        let fault = match (ours, theirs) {
            (None, None) => return Ok(()),
            (Some(_), None) => Some("legal here only".to_owned()),
            (None, Some(_)) => Some("legal there only".to_owned()),
            (Some(board), Some(position)) => {
                let value =
                    self.value(&board).map_err(|error| SyzygyError::Probe(error.to_string()))?;
                let wdl = tables.probe_wdl_after_zeroing(&position);
                let dtz = tables.probe_dtz(&position);
                let (Ok(wdl), Ok(dtz)) = (wdl, dtz) else {
                    let why = format!("{fen}: its Syzygy file is absent or damaged");
                    return Err(SyzygyError::Probe(why));
                };
                let agrees = value.wdl50(0) == i32::from(wdl) && is_distance(value, dtz);
                (!agrees).then(|| format!("{value:?} here, {wdl:?} and {dtz:?} there"))
            }
        };
        verdict.checked += 1;
        if let Some(fault) = fault {
            verdict.fault_count += 1;
            if verdict.faults.len() < FAULTS_SHOWN {
                verdict.faults.push(format!("{fen}: {fault}"));
            }
        }
        Ok(())
    }
}

/// Returns true when this is the distance of the file. Some files round to even plies; a mate is 1
/// there.
fn is_distance(value: TableValue, dtz: MaybeRounded<Dtz>) -> bool {
    let plies = value.signed_plies().unwrap_or(0);
    match dtz {
        MaybeRounded::Precise(Dtz(d)) if value == TableValue::Loss(0) => d == -1,
        MaybeRounded::Precise(Dtz(d)) => plies == i64::from(d),
        MaybeRounded::Rounded(Dtz(d)) => (plies.abs() - i64::from(d).abs()).abs() <= 1,
    }
}

#[cfg(test)]
mod tests {
    use super::SyzygyError;
    use crate::fairy::PieceSet;
    use crate::{BuildEvent, Material, Metric, Rules, Tablebase, Verification};
    use std::path::{Path, PathBuf};
    use std::time::Instant;
    use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

    fn compare(name: &str, metric: Metric, folder: &Path) -> Result<Verification, SyzygyError> {
        let piece_set = PieceSet::default();
        let material = Material::read(name, &piece_set).unwrap();
        let mut table = Tablebase::empty(&material, &Rules::orthodox(metric), &piece_set).unwrap();
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        let pool = Pool::new(1).unwrap();
        let notify = |_: BuildEvent| {};
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
        table.build(&control).unwrap();
        table.verify_with_syzygy(folder, 1, &control)
    }

    fn golden() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/syzygy")
    }

    #[test]
    fn incomparable_values_are_refused() {
        let why = |name, metric, folder: &Path| compare(name, metric, folder).unwrap_err();
        assert_eq!(why("KQ.K", Metric::Dtm, &golden()), SyzygyError::Rules("rules"));
        assert_eq!(why("KA.K", Metric::Dtz, &golden()), SyzygyError::Rules("pieces"));
        let absent = why("KQ.K", Metric::Dtz, Path::new("no/such/folder"));
        assert!(matches!(absent, SyzygyError::Folder(_)), "{absent}");
        let folder = std::env::temp_dir().join(format!("umbrail-syzygy-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let empty = why("KQ.K", Metric::Dtz, &folder);
        for kind in ["rtbw", "rtbz"] {
            let file = format!("KQvK.{kind}");
            let mut bytes = std::fs::read(golden().join(&file)).unwrap();
            bytes.truncate(40);
            std::fs::write(folder.join(file), bytes).unwrap();
        }
        let broken = why("KQ.K", Metric::Dtz, &folder);
        let _ = std::fs::remove_dir_all(&folder);
        assert!(matches!(empty, SyzygyError::Folder(_)), "{empty}");
        let refused = matches!(broken, SyzygyError::Folder(_) | SyzygyError::Probe(_));
        assert!(refused, "{broken}");
    }
}
