//! The builder's work on a job's thread: opens or builds the table for play, then writes EGTgen's
//! report on it.

use crate::geometry::Color;
use crate::session::build_progress::{BuildProgress, BuildRow};
use crate::session::domain::Domain;
use crate::session::egt::{self, BuildContext, Failure, TableCache, TableConfig};
use crate::session::job_context::{JobContext, JobReport};
use crate::session::message::{Completion, Kind, Message};
use crate::session::results::write_result;
use crate::session::status::Status;
use crate::tables::{FairyBoard, Material, Tablebase, egtgen};
use std::path::Path;

/// Results requested beside the table.
pub(super) struct Wishes<'a> {
    /// Board to look up first.
    pub(super) board: Option<&'a FairyBoard>,
    /// Write the file `rep2.txt`.
    pub(super) rep2: bool,
    /// Note about the file that defines the pieces, if there is one.
    pub(super) pieces: Option<&'a str>,
}

/// Opens or builds the table, and puts it into the cache. The board is looked up first, so that the
/// extra table for its castling rights exists when the move is due. Counting for `rep2.txt` comes
/// last.
pub(super) fn build(
    config: &TableConfig,
    material: &Material,
    cache: &TableCache,
    Wishes { board, rep2, pieces }: Wishes<'_>,
    job: &JobContext<'_>,
) -> Completion {
    let notify = |row: BuildRow| (job.notify)(JobReport::Table(BuildProgress::Row(row)));
    let end = |status, why: &str| Completion {
        done: Message::new(Domain::Egt, Kind::Done).printing(why),
        status,
    };
    if cache.named(&material.to_string(), config).is_none() {
        if let Some(text) = pieces {
            notify(BuildRow { time: job.clock.elapsed(), settled: 1, text: text.to_owned() });
        }
        let damage = cache.damage(&material.to_string(), config);
        if let Some(why) = &damage {
            let text = format!("{why}; {material} is built");
            notify(BuildRow { time: job.clock.elapsed(), settled: 1, text });
        }
        let kept = if damage.is_some() { None } else { opened(config, material) };
        let mut table = match kept {
            Some((table, folder)) => {
                let text = format!("{material} is read from {}", folder.display());
                notify(BuildRow { time: job.clock.elapsed(), settled: 1, text });
                table
            }
            None => match built(config, material, BuildContext { job, cache, notify: &notify }) {
                Ok(table) => table,
                Err(Failure { status, why }) => return end(status, &why),
            },
        };
        for text in hardest(&mut table) {
            notify(BuildRow { time: job.clock.elapsed(), settled: 1, text });
        }
        cache.put(table, config.is_seeded());
    }
    warm(board, config, cache);
    (job.notify)(JobReport::Table(BuildProgress::Ready));
    if rep2 {
        let site = BuildContext { job, cache, notify: &|_| {} };
        let written = egt::rep2(material, config, site).and_then(|text| {
            let written = write_result(Path::new("rep2.txt"), text.as_bytes());
            written.map_err(|why| Failure { status: Status::Refused, why })
        });
        if let Err(Failure { status, why }) = written {
            return end(status, &why);
        }
    }
    end(Status::Complete, "")
}

/// Returns the table from the files of the folder, and the folder.
fn opened<'a>(config: &'a TableConfig, material: &Material) -> Option<(Tablebase, &'a Path)> {
    let folder = config.files()?;
    Some((egt::open(config, material, folder).ok()?, folder))
}

/// Builds the table in memory, or in the files of the folder if memory does not suffice.
fn built(
    config: &TableConfig,
    material: &Material,
    site: BuildContext<'_>,
) -> Result<Tablebase, Failure> {
    match (egt::build(config, material, site), config.files()) {
        (Err(Failure { status: Status::Refused, .. }), Some(folder)) => {
            egt::build_into_folder(config, material, folder, site).map(|(table, _)| table)
        }
        (built, _) => built,
    }
}

/// Returns EGTgen's "maximin" positions, the longest wins with either side to move, by octal index.
fn hardest(table: &mut Tablebase) -> Vec<String> {
    let mut rows = vec![];
    for winner_moves in [true, false] {
        for board in table.hardest(Color::White, winner_moves, 1) {
            let plies = table.value(&board).ok().and_then(|v| v.signed_plies()).unwrap_or(0);
            if let Some(index) = egtgen::index(&board, table.material()) {
                let plies = plies.unsigned_abs();
                let unit = egtgen::unit(table.rules().metric);
                rows.push(format!("maximin\t{index:o}\t{plies} plies{unit}\t{}", board.to_fen()));
            }
        }
    }
    rows
}

/// Looks a board up once, so that the extra table for its castling rights exists when it is needed.
fn warm(board: Option<&FairyBoard>, config: &TableConfig, cache: &TableCache) {
    if let Some(board) = board.filter(|board| !board.rights.is_empty())
        && let Some(entry) = cache.holding(board, config)
    {
        // An error is reported when the value is needed.
        let _ = entry.table().moves(board);
    }
}
